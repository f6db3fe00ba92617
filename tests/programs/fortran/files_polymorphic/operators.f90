module operators
  use solver_module, only: operator, solver
  implicit none
  type, extends(operator) :: scaling
    real(8) :: factor
    integer :: calls = 0
  contains
    procedure :: apply => apply_scaling
  end type scaling
  ! Nothing in it.
  type, extends(operator) :: shifting
  contains
    procedure :: apply => apply_shifting
  end type shifting
  type :: remark
    integer :: amount
  end type remark
  type, extends(solver) :: deep_solver
    integer, allocatable :: history(:)
    real(8), pointer :: extra(:) => null()
  end type deep_solver
contains
  subroutine apply_scaling(self, x)
    class(scaling), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    self%calls = self%calls + 1
    x = x * self%factor + self%calls
  end subroutine apply_scaling

  subroutine apply_shifting(self, x)
    class(shifting), intent(inout) :: self
    real(8), intent(inout) :: x(:)
    x = cshift(x, 1) + 0 * storage_size(self)
  end subroutine apply_shifting
end module operators
