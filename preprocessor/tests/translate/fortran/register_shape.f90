! The shape of an array of two dimensions is in the state file.
subroutine work(u, m, n)
  integer, intent(in) :: m, n
  real(8), intent(inout) :: u(m, n)
  !$cppc register(u)
  !$cppc checkpoint
end subroutine
