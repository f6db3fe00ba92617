! A dummy argument that is allocated in the procedure with the checkpoint is registered there too.
program main
  implicit none
  real, allocatable :: a(:)
  integer :: i
  real :: s
  s = 0
  do i = 1, 9
    call work(i, a)
    s = s + sum(a)
  end do
  if (s > 1000) call exit(0)
  print *, s
contains
  subroutine work(k, out)
    integer, intent(in) :: k
    real, allocatable, intent(inout) :: out(:)
!$cppc checkpoint
    if (allocated(out)) deallocate (out)
    allocate (out(k))
    out = k
  end subroutine
end program
