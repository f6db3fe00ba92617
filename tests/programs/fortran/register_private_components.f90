! Exercises: variables of types whose components are private in another module: a scalar, an array, an allocatable, and a
! component of another type.
!
! compilers: gfortran
module accumulators
  implicit none
  private
  type, public :: accumulator
    private
    real(8) :: total = 0
    real(8), allocatable :: values(:)
  contains
    procedure :: add
    procedure :: show
  end type accumulator
  type, public :: counter
    private
    integer :: n = 0
  contains
    procedure :: count
    procedure :: number
  end type counter
contains
  subroutine add(self, x)
    class(accumulator), intent(inout) :: self
    real(8), intent(in) :: x
    if (.not. allocated(self%values)) allocate (self%values(4), source=0d0)
    self%total = self%total + x
    self%values(mod(int(x), 4) + 1) = x
  end subroutine add

  subroutine show(self)
    class(accumulator), intent(in) :: self
    print *, self%total
    if (allocated(self%values)) print *, self%values
  end subroutine show

  subroutine count(self)
    class(counter), intent(inout) :: self
    self%n = self%n + 1
  end subroutine count

  integer function number(self)
    class(counter), intent(in) :: self
    number = self%n
  end function number
end module accumulators

program register_private_components
  use accumulators
  implicit none
  type :: pair
    type(counter) :: first
    integer :: second = 0
  end type pair
  type(accumulator) :: one, several(3)
  type(accumulator), allocatable :: more(:)
  type(counter) :: counted
  type(pair) :: both
  integer :: i
  !$cppc init
  !$cppc register(one, several, more, counted, both, i)
  do i = 1, 8
    !$cppc checkpoint
    if (i == 3) allocate (more(2))
    call one%add(real(i, 8))
    call several(mod(i, 3) + 1)%add(real(i, 8))
    if (allocated(more)) call more(2)%add(real(2 * i, 8))
    call counted%count
    call both%first%count
    both%second = both%second + both%first%number()
  end do
  call one%show
  do i = 1, 3
    call several(i)%show
  end do
  call more(2)%show
  print *, counted%number(), both%first%number(), both%second
  !$cppc shutdown
end program register_private_components
