! Exercises: generic names, operators and assignments of one's own, procedures bound to types, and
! private ones of a module, of which some lead to a checkpoint.
module shapes
  implicit none
  private
  public :: area_of, vector, operator(+)
  type vector
    real(8) :: x = 0, y = 0
  contains
    procedure :: stretch
    procedure, private :: add
    generic :: operator(+) => add
  end type vector
  interface area_of
    module procedure area_of_square, area_of_rectangle
    procedure area_of_vector
  end interface area_of
contains
  real(8) function area_of_square(side)
    real(8), intent(in) :: side
    !$cppc checkpoint
    area_of_square = side * side
  end function area_of_square
  real(8) function area_of_rectangle(a, b)
    real(8), intent(in) :: a
    integer, intent(in) :: b
    area_of_rectangle = a * b
  end function area_of_rectangle
  function area_of_vector(v) result(area)
    type(vector), intent(in) :: v
    real(8) :: area
    area = v%x
    !$cppc register(area)
    !$cppc checkpoint
    area = area * v%y
  end function area_of_vector
  subroutine stretch(this, by)
    class(vector), intent(inout) :: this
    real(8), intent(in) :: by
    this%x = this%x * by
    !$cppc checkpoint
    this%y = this%y * by
  end subroutine stretch
  type(vector) function add(a, b)
    class(vector), intent(in) :: a
    type(vector), intent(in) :: b
    add%x = a%x + b%x
    add%y = a%y + b%y
  end function add
end module shapes

program generic
  use shapes
  implicit none
  interface twist
    procedure twist_integer
    procedure twist_real
  end interface twist
  type(vector) :: v, w
  real(8) :: total
  integer :: i, n
  v = vector(1, 2); w = vector(0.5d0, 0.25d0); total = 0; n = 1
  !$cppc init
  !$cppc register(v, w, total, n)
  do i = 1, 4
    total = total + area_of(v) - area_of(0.5d0 * i)
    total = total + area_of(total, i)
    call v%stretch(0.5d0)
    call twist(n)
    call twist(total)
    v = v + w
    print '(2i6, 3(1x, z16.16))', i, n, total, v%x, v%y
  end do
  !$cppc shutdown
contains
  subroutine twist_integer(k)
    integer, intent(inout) :: k
    k = k * 3
    !$cppc checkpoint
    k = k - 1
  end subroutine twist_integer
  subroutine twist_real(x)
    real(8), intent(inout) :: x
    !$cppc checkpoint
    x = x * 0.5d0
  end subroutine twist_real
end program generic
