! Arguments that the compiler copies for the call: the procedures register their dummy arguments.
module cells
  implicit none
  type cell
    real(8) :: x
    integer :: k
  end type cell
  type, extends(cell) :: ion
    real(8) :: charge
  end type ion
  type(cell) :: grid(5)
  type(ion) :: ions(3)
  complex(8) :: z(4)
  character(4) :: names(3)
  real(8) :: a(12)
contains
  subroutine advance(x, t)
    real(8), contiguous, intent(inout) :: x(:)
    integer, intent(in) :: t
    !$cppc register(x)
    x = x + t
    !$cppc checkpoint
    x(2) = x(2) * 1.5d0
  end subroutine advance
  subroutine sized(x, n, t)
    integer, intent(in) :: n, t
    real(8), intent(inout) :: x(n)
    !$cppc register(x)
    x = x + t
    !$cppc checkpoint
    x(n) = x(n) * 0.5d0
  end subroutine sized
  subroutine middle(x, t)
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: t
    call sized(x, size(x), t)
  end subroutine middle
  subroutine letters(s, t)
    character(*), contiguous, intent(inout) :: s(:)
    integer, intent(in) :: t
    !$cppc register(s)
    s(2)(1:1) = achar(iachar('a') + t)
    !$cppc checkpoint
    s(1) = s(2)
  end subroutine letters
end module cells

program copied_arguments
  use cells
  implicit none
  integer :: t, i
  do i = 1, 5
    grid(i) = cell(i, i)
  end do
  do i = 1, 3
    ions(i)%cell = cell(2 * i, i)
    ions(i)%charge = i
  end do
  z = (1, 2)
  names = ['abcd', 'efgh', 'ijkl']
  a = 1
  !$cppc init
  !$cppc register(grid, ions, z, names, a)
  do t = 1, 3
    call advance(grid%x, t)
    call advance(ions%cell%x, t)
    call advance(z%im, t)
    call letters(names(:)(2:3), t)
    call middle(a(1:11:2), t)
    print *, t, grid%x, ions%x, names
    print *, z, a
  end do
  !$cppc shutdown
end program copied_arguments
