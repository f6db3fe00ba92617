! A variable with SAVE of the external procedure with the checkpoint, and calls after the checkpoint.
subroutine work(i)
  implicit none
  integer, intent(in) :: i
  integer, save :: n = 0
!$cppc checkpoint
  n = n + i
  call report(n)
end subroutine work
subroutine report(n)
  implicit none
  integer, intent(in) :: n
  print *, n
end subroutine report
program main
  implicit none
  integer :: i
  do i = 1, 9
    call work(i)
  end do
end program main
