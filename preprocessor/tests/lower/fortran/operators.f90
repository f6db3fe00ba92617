module vectors
  type :: vector
    real :: x
  end type
  interface operator(+)
    module procedure add
  end interface
  interface assignment(=)
    module procedure set
  end interface
contains
  function add(a, b) result(c)
    type(vector), intent(in) :: a, b
    type(vector) :: c
    c%x = a%x + b%x
  end function
  subroutine set(a, x)
    type(vector), intent(out) :: a
    real, intent(in) :: x
    a%x = x
  end subroutine
  subroutine use_them(a, b)
    type(vector) :: a, b
    a = b + a
    b = 1.0
  end subroutine
end module
