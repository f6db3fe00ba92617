! A variable of derived type is described by its components.
module particles
  type particle
    real(8) :: position(3)
    integer :: species
  end type
contains
  subroutine work(p)
    type(particle), intent(inout) :: p(:)
    !$cppc register(p)
    !$cppc checkpoint
  end subroutine
end module
