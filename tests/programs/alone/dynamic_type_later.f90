! A polymorphic variable gets a dynamic type that only a later register describes.
!
! compilers: gfortran
module shapes
  type, abstract :: shape
  contains
    procedure(step_i), deferred :: step
  end type
  abstract interface
    subroutine step_i(self)
      import shape
      class(shape), intent(inout) :: self
    end subroutine
  end interface
end module
module circles
  use shapes
  private
  public :: make
  type, extends(shape) :: circle
    integer :: n = 0
  contains
    procedure :: step
  end type
contains
  subroutine make(p)
    class(shape), pointer, intent(out) :: p
    allocate(circle :: p)
  end subroutine
  subroutine step(self)
    class(circle), intent(inout) :: self
    !$cppc register(self)
    !$cppc checkpoint
    self%n = self%n + 1
    print *, self%n
  end subroutine
end module
program dynamic_type_later
  use shapes
  use circles
  class(shape), pointer :: p
  integer :: i
  !$cppc init
  call make(p)
  !$cppc register(p, i)
  do i = 1, 4
    call p%step()
  end do
  !$cppc shutdown
end program dynamic_type_later
