module solver_module
  implicit none
  type, abstract :: operator
  contains
    procedure(apply_operator), deferred :: apply
  end type operator
  type :: solver
    integer :: step = 0
    real(8) :: total = 0
    real(8), allocatable :: field(:)
    class(operator), allocatable :: applied
    class(*), allocatable :: note
  contains
    procedure :: run
  end type solver
  ! The runtime does not know characters of this kind. Nothing of this type is registered.
  type :: odd
    character(kind=4, len=2) :: letters
  end type odd
  type, extends(odd) :: odder
    integer :: number
  end type odder
  class(odd), allocatable :: unused
  abstract interface
    subroutine apply_operator(self, x)
      import :: operator
      class(operator), intent(inout) :: self
      real(8), intent(inout) :: x(:)
    end subroutine apply_operator
  end interface
contains
  subroutine run(self, n)
    class(solver), intent(inout) :: self
    integer, intent(in) :: n
    !$cppc register(self)
    do while (self%step < n)
      !$cppc checkpoint
      call self%applied%apply(self%field)
      self%step = self%step + 1
      self%total = self%total + sum(self%field)
      print *, self%step, self%total
    end do
  end subroutine run
end module solver_module
