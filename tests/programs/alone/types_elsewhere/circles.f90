module circles
  use shapes
  implicit none
  type, extends(shape) :: circle
    real(8) :: r = 1
    real(8), allocatable :: scale
  contains
    procedure :: grow => grow_circle
  end type circle
contains
  subroutine grow_circle(self)
    class(circle), intent(inout) :: self
    self%r = self%r * self%scale
    self%count = self%count + 1
    self%name = self%name // 'c'
  end subroutine grow_circle
end module circles
