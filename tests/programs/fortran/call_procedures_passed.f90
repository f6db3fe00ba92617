! Exercises: procedures passed as arguments and through pointers that lead to a checkpoint: EXTERNAL,
! explicit interfaces, and contained ones.
program passed
  implicit none
  abstract interface
    real(8) function map(x)
      real(8), intent(in) :: x
    end function map
  end interface
  external :: bump
  procedure(map), pointer :: chosen
  real(8) :: x
  integer :: i
  x = 1
  !$cppc init
  !$cppc register(x, i)
  do i = 1, 4
    !$cppc execute capture(i)
    if (mod(i, 2) == 0) then
      chosen => half
    else
      chosen => more
    end if
    !$cppc end execute
    call apply(bump, x)
    x = integrate(half, x) + integrate(more, x)
    x = x + chosen(x)
    print '(i2, 1x, z16.16)', i, x
  end do
  !$cppc shutdown
contains
  real(8) function half(y)
    real(8), intent(in) :: y
    !$cppc checkpoint
    half = y * 0.5d0
  end function half
  real(8) function more(y)
    real(8), intent(in) :: y
    !$cppc checkpoint
    more = y + i
  end function more
  real(8) function integrate(f, from)
    procedure(map) :: f
    real(8), intent(in) :: from
    integer :: k
    integrate = 0
    !$cppc register(integrate, k)
    do k = 1, 2
      integrate = integrate * 0.25d0 + f(from + k)
    end do
  end function integrate
end program passed

subroutine apply(what, x)
  external what
  real(8) x
  call what(x)
  x = x * 0.5d0
end subroutine apply

subroutine bump(x)
  real(8) x
  x = x + 1
  !$cppc checkpoint
  x = x + 2
end subroutine bump
