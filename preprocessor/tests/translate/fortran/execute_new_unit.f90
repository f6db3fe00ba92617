! A unit whose number OPEN chooses: a restart may get another one.
subroutine log_steps(unit)
  integer, intent(out) :: unit
  !$cppc execute file(unit, 'steps.txt')
  open(newunit=unit, file='steps.txt')
  !$cppc end execute
  !$cppc checkpoint
end subroutine
