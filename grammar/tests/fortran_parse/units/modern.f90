! Modules, submodules, types with procedures, interfaces, coarrays.
module shapes
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: shape, circle, operator(+), assignment(=), operator(.cross.), area_of
  integer, parameter, public :: wp = c_double
  enum, bind(c)
    enumerator :: red = 1, green
    enumerator blue
  end enum
  type, abstract :: shape
    private
    character(len=:), allocatable :: name
  contains
    procedure(area_of), deferred, pass(self) :: area
    procedure, non_overridable :: describe => describe_shape
    generic :: operator(+) => add
    generic, public :: twice => twice_it
    procedure :: add
    procedure, private :: twice_it
  end type
  type, extends(shape) :: circle
    real(wp) :: r
    procedure(area_of), pointer, nopass :: f => null()
  contains
    procedure :: area => circle_area
    final :: finish
  end type circle
  type, bind(c) :: pair
    integer(c_int) :: a, b
  end type
  type matrix(k, n)
    integer, kind :: k = wp
    integer, len :: n
    real(k) :: values(n, n)
  end type
  type sequenced
    sequence
    integer i
  end type
  abstract interface
    function area_of(self) result(a)
      import :: shape, wp
      class(shape), intent(in) :: self
      real(wp) :: a
    end function
  end interface
  interface operator(.cross.)
    module procedure cross
  end interface
  interface operator(/)
    procedure divide
  end interface
  interface
    integer(c_int) function c_call(x, n) bind(c, name='c_call')
      import
      type(c_ptr), value :: x
      integer(c_int), value :: n
    end function c_call
    module subroutine later(n)
      integer, intent(in) :: n
    end subroutine
    module function twice(n) result(m)
      integer, intent(in) :: n
      integer :: m
    end function
  end interface
  interface generic_name
    module procedure first, second
  end interface generic_name
  real(wp), protected :: total
  real, save :: shared_value[*]
  procedure(area_of), pointer :: hook => null()
  real(wp), dimension(:), allocatable, codimension[:] :: field
  integer, bind(c, name='counter') :: counter
  namelist /settings/ total, counter
contains
  pure elemental function cross(a, b) result(c)
    real, intent(in) :: a, b
    real :: c
    c = a*b
  end function cross
  recursive real function divide(a, b)
    type(pair), intent(in) :: a, b
    divide = real(a%a)/b%b
  end function
  subroutine first(x)
    integer :: x
    x = 1
  end subroutine first
  subroutine second(x)
    real :: x
    x = inner(x)
  contains
    real function inner(y)
      real, intent(in) :: y
      inner = y
    end function inner
  end subroutine second
  function describe_shape(self)
    class(shape), intent(in) :: self
    character(len=20) :: describe_shape
    select type (self)
    type is (circle)
      describe_shape = 'circle'
    class is (shape)
      describe_shape = self%name
    class default
      describe_shape = '?'
    end select
  end function
  function add(self, other)
    class(shape), intent(in) :: self, other
    real :: add
    add = self%area() + other%area()
  end function
  function twice_it(self)
    class(shape), intent(in) :: self
    real :: twice_it
    twice_it = 2*self%area()
  end function
  subroutine finish(self)
    type(circle), intent(inout) :: self
    if (allocated(self%name)) deallocate (self%name)
  end subroutine
  real(wp) function circle_area(self) result(a)
    class(circle), intent(in) :: self
    a = 3*self%r**2
    if (associated(self%f)) a = self%f(self)
  end function circle_area
  subroutine ranked(x)
    real, intent(in) :: x(..)
    select rank (y => x)
    rank (0)
      print *, y
    rank (1)
      print *, y(1)
    rank default
      error stop 'rank', quiet=.false.
    end select
  end subroutine
  subroutine images
    use iso_fortran_env, only: event_type, lock_type, team_type
    integer, save :: i, me[*]
    type(event_type), save :: e[*]
    type(lock_type), save :: l[*]
    type(team_type) :: t
    me = this_image()
    i = me[1] + me[2]
    me[2] = 3
    sync all
    sync images (*)
    sync images ([1, 2], stat=i)
    sync memory
    event post (e[1])
    event wait (e)
    lock (l[1])
    unlock (l[1])
    critical
      i = 1
    end critical
    form team (1, t)
    change team (t)
      sync team (t)
    end team
    if (i == 2) fail image
  end subroutine
end module shapes

submodule (shapes) details
contains
  module procedure later
    print *, n
  end procedure later
  module procedure twice
    m = 2*n
  end procedure
end submodule details

submodule (shapes:details) more
end submodule
