! COMMON blocks that no procedure on the way to the checkpoint can name: another procedure registers them.
program main
  integer :: i
  call clear
  do i = 1, 5
    !$cppc checkpoint
    call count(i)
  end do
end program

subroutine clear
  integer :: calls
  real :: total
  common /sums/ calls, total
  calls = 0
  total = 0
end subroutine

subroutine count(step)
  integer, intent(in) :: step
  integer :: calls
  real :: total
  common /sums/ calls, total
  calls = calls + 1
  total = total + step * calls
  print *, calls, total
end subroutine
