! A checkpoint in a case: a restart jumps into the branch that it was in.
subroutine work(n)
  integer, intent(inout) :: n
  !$cppc register(n)
  select case (n)
  case (1)
    !$cppc checkpoint
    n = 2
  case default
    n = 0
  end select
end subroutine
