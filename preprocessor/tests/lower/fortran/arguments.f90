subroutine caller(a, n, f)
  integer :: n, k
  real :: a(10, 10), x
  real, external :: f
  interface
    subroutine named(x, y, z)
      real :: x(*)
      real, optional :: y
      integer, value :: z
    end subroutine
  end interface
  k = 2
  call named(a(1, k), z=n + 1)
  call named(a(2, k), x, 3)
  call unknown(a(3, 4), k, f, x + 1.0)
  x = f(a(1, 1)) + helper(k)
contains
  real function helper(i)
    integer, intent(in) :: i
    helper = a(i, n)
  end function
end subroutine
