! Memory that no longer exists needs no register.
! reports: nothing
! all: a
program unregistered_and_deallocated
  implicit none
  integer, allocatable :: a(:)
  integer :: i, total
  !$cppc init
  total = 0
  allocate (a(3))
  a = 1
  !$cppc register(a, total)
  do i = 1, 5
    !$cppc checkpoint
    if (i == 3) then
      !$cppc unregister(a)
      deallocate (a)
    end if
    if (allocated(a)) total = total + a(2)
  end do
  !$cppc shutdown
  print *, total
end program
