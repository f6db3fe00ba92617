! The steps; `level` is registered here and counted by the main program.
module stepping
  use grid_data
  implicit none
  private
  public :: step, level, operator(.near.)
  integer, save :: level = 10
  real(8) :: damping = 1
  interface operator(.near.)
    module procedure is_near
  end interface
  interface
    module subroutine smooth(times)
      integer, intent(in) :: times
    end subroutine smooth
  end interface
contains
  subroutine step(by)
    integer, intent(in) :: by
    !$cppc register(level, damping)
    damping = damping * 0.5d0 + by
    call smooth(2)
    !$cppc checkpoint
    values = values + damping
    clock = clock + by
  end subroutine step

  logical function is_near(a, b)
    real(8), intent(in) :: a, b
    is_near = abs(a - b) < 2
  end function is_near
end module stepping

submodule (stepping) smoothing
  implicit none
contains
  module subroutine smooth(times)
    integer, intent(in) :: times
    integer :: t
    do t = 1, times
      values(2:extent) = values(2:extent) * 0.5d0 + spread * values(:extent - 1)
      !$cppc checkpoint
    end do
  end subroutine smooth
end submodule smoothing
