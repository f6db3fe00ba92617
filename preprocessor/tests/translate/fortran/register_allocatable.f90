! An allocatable array: a restart allocates it with the bounds that it had.
subroutine work(n)
  integer, intent(in) :: n
  real, allocatable :: a(:, :)
  allocate(a(0:n, n))
  a = 0
  !$cppc register(a)
  !$cppc checkpoint
  a(0, 1) = 1
end subroutine
