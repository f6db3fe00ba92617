program faults
  integer :: i, a(10
  real :: x = 'not closed
  integer, dimension(3) b
  i = (1 + 2
  i = 1 +
  i + 1
  call
  a(1,) = 2
  if (i = 1) then
    i = 2
  end if
  do i = 1
    i = 3
  end do
  if (i) foo
  x = y § z
  read
  allocate (1:2)
  parameter (i)
  select case (i)
  case 3
  end select
  goto x + 1
  print *, (i, i=1)
  enddo = 3
  use
end program faults
