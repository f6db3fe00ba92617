! A unit that an execute block opens, with its name and position.
subroutine log_steps(n)
  integer, intent(in) :: n
  integer :: i
  !$cppc execute file(10, 'steps.txt')
  open(10, file='steps.txt')
  !$cppc end execute
  do i = 1, n
    !$cppc checkpoint
    write(10, *) i
  end do
  close(10)
end subroutine
