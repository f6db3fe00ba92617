subroutine pause_here()
  use field, only: energy, total
  implicit none
  energy = energy + 1
  total = total + 1
  !$cppc checkpoint
  total = total * 2
  energy = energy / 2
end subroutine pause_here
