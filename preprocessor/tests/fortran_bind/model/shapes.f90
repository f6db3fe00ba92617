module grid
  implicit none
  integer, parameter :: nx = 4
  real(8), save :: field(0:nx, 5)
  type cell
    integer :: k
    real(4) :: z(2, 3)
  end type
  type(cell), save :: cells(2, 3), one
  character(len=7), save :: words(3), title
contains
  subroutine work(n, m, a, b, c, d, e, f, text)
    integer, intent(in) :: n, m
    real(8) :: a(n, m), b(:, :), c(n, *), d(*), e(2, n, 2:m), f(0:n, -1:m)
    character(len=*) :: text(n)
    real(4), allocatable :: moves(:, :)
    integer :: line(12)
    !$cppc register(a, b, field, cells, one, words, title, text, moves, line)
    !$cppc register(c(n, m), d(n), e(2, N, 3), f(n, 0), a(n, m - 1), text(2), field(nx, 2))
    !$cppc register(c(3, m), e(1, n, 3), a(n - 1, m), field(3, 2), b(n, m), c(m, n))
    !$cppc checkpoint
  end subroutine work
  subroutine named(a, n, size, shape)
    integer, intent(in) :: n, size, shape
    real(8) :: a(n, 0:n, 3)
    !$cppc register(a)
    !$cppc checkpoint
  end subroutine named
end module grid
