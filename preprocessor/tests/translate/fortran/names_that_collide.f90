! Names of the program that look like generated ones.
subroutine work(cppc_next)
  integer, intent(inout) :: cppc_next
  !$cppc register(cppc_next)
  !$cppc checkpoint
  cppc_next = cppc_next + 1
end subroutine
