! Calls of deferred type-bound functions in expressions: their interfaces have the types of the results.
module solvers
  implicit none
  type, abstract :: solver
    integer :: calls = 0
  contains
    procedure(evaluate), deferred :: run
    procedure(count_of), deferred, pass(this) :: count
  end type solver
  abstract interface
    real(8) function evaluate(self, x)
      import solver
      class(solver), intent(inout) :: self
      real(8), intent(in) :: x
    end function evaluate
    integer function count_of(factor, this)
      import solver
      integer, intent(in) :: factor
      class(solver), intent(inout) :: this
    end function count_of
  end interface
  type, extends(solver) :: adder
  contains
    procedure :: run => add
    procedure, pass(this) :: count => count_added
  end type adder
  type, extends(solver) :: scaler
    real(8) :: factor = 2
  contains
    procedure :: run => scale_by
    procedure, pass(this) :: count => count_scaled
  end type scaler
  type(adder), target :: first
  type(scaler), target :: second
contains
  real(8) function add(self, x)
    class(adder), intent(inout) :: self
    real(8), intent(in) :: x
    self%calls = self%calls + 1
    !$cppc checkpoint
    add = x + self%calls
  end function add
  real(8) function scale_by(self, x)
    class(scaler), intent(inout) :: self
    real(8), intent(in) :: x
    self%factor = self%factor * 1.5d0
    !$cppc checkpoint
    scale_by = x * self%factor
  end function scale_by
  integer function count_added(factor, this)
    integer, intent(in) :: factor
    class(adder), intent(inout) :: this
    !$cppc checkpoint
    count_added = factor * this%calls
  end function count_added
  integer function count_scaled(factor, this)
    integer, intent(in) :: factor
    class(scaler), intent(inout) :: this
    !$cppc checkpoint
    count_scaled = factor + int(this%factor)
  end function count_scaled
  real(8) function both(s, before, x)
    class(solver), intent(inout) :: s
    real(8), intent(in) :: before, x
    both = before * 0.5d0 + s%run(x) + 2 * s%count(3)
  end function both
end module solvers

program deferred_functions
  use solvers
  implicit none
  real(8) :: total
  integer :: i
  total = 0
  !$cppc init
  !$cppc register(first, second, total)
  do i = 1, 4
    if (mod(i, 2) == 0) then
      total = both(first, total, real(i, 8))
    else
      total = both(second, total, real(i, 8))
    end if
    print '(i3, f14.6)', i, total
  end do
  !$cppc shutdown
end program deferred_functions
