! reports: unit 10, v
program units
  implicit none
  integer, parameter :: u = 12
  integer :: i, v
  !$cppc init
  open (10, file='a')
  open (newunit=v, file='c')
  !$cppc execute file(u, 'b')
  open (unit=u, file='b')
  !$cppc end execute
  !$cppc register(i, v)
  do i = 1, 3
    !$cppc checkpoint
    write (10, *) i
    write (u, *) i
    write (v, *) i
    write (*, *) i
    open (11, file='d')
    write (11, *) i
    close (11)
  end do
  close (10)
  close (u)
  !$cppc shutdown
end program units
