module results
  implicit none
  type vec
    real :: x
  end type vec
  interface operator(+)
    module procedure add
  end interface
  interface assignment(=)
    module procedure from
  end interface
contains
  function add(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c%x = a%x + b%x
  end function add
  subroutine from(a, i)
    type(vec), intent(out) :: a
    integer, intent(in) :: i
    a%x = i
  end subroutine from
  function ptr(a, i) result(p)
    integer, intent(in), target :: a(:)
    integer, intent(in) :: i
    integer, pointer :: p
    !$cppc checkpoint
    p => a(i)
  end function ptr
  subroutine change(i)
    integer, intent(inout) :: i
    i = i + 1
  end subroutine change
  subroutine use_them(a)
    integer, target :: a(:)
    integer, pointer :: p
    integer :: i
    type(vec) :: u, v
    p => ptr(a, 3)
    i = ptr(a, i)
    call change(ptr(a, 3))
    i = ptr(a, ptr(a, 1))
    u = u + v + u
    u = 3
  end subroutine use_them
end module results
