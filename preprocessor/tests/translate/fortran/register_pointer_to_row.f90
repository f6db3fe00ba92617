! A pointer to elements with gaps between them is the root of a graph.
subroutine work(q)
  real(8), target :: q(:, :)
  real(8), pointer :: row(:)
  row => q(2, :)
  !$cppc register(row)
  !$cppc checkpoint
  row = row + 1
end subroutine work
