! An execute block runs again in a restart, with the captured value of the first run.
subroutine prepare(table, n)
  real, allocatable, intent(inout) :: table(:)
  integer, intent(in) :: n
  !$cppc execute capture(n)
  allocate(table(n))
  !$cppc end execute
  !$cppc register(table)
  !$cppc checkpoint
end subroutine
