! A component of a derived type.
module particles
  type particle
    real(8) :: position(3)
    integer :: species
  end type
contains
  subroutine work(p)
    type(particle), intent(inout) :: p
    !$cppc register(p%position, p%species)
    !$cppc checkpoint
  end subroutine
end module
