! A unit that an execute block opens, with its name and position.
subroutine log_steps(n)
  integer, intent(in) :: n
  !$cppc execute file(10, 'steps.txt')
  open(10, file='steps.txt')
  !$cppc end execute
  !$cppc checkpoint
  write(10, *) n
  close(10)
end subroutine
