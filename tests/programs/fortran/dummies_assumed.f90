! Exercises: assumed-shape dummies with bounds of their own, sections that are passed in place and ones
! that a compiler passes as a copy, optional dummies, dummies with values and with keywords.
program assumed
  implicit none
  integer :: i
  real(8) :: a(8, 4), v(12)
  a = 1
  v = [(i * 0.25d0, i = 1, 12)]
  !$cppc init
  !$cppc register(a, v, i)
  do i = 1, 4
    call shape_of(a)
    call shape_of(a(2:5, :))
    call shape_of(a(::2, 4:1:-1), times=3)
    call explicit(v(1:12:3), 4)
    call explicit(v(5:), size(v) - 4, scale=0.5d0)
    call explicit(n=2, x=v)
    print '(i2, 6(1x, z16.16))', i, sum(a), a(3, 1), a(8, 4), sum(v), v(4), v(12)
  end do
  !$cppc shutdown
contains
  subroutine shape_of(x, times)
    real(8), intent(inout) :: x(0:, :)
    integer, intent(in), optional :: times
    integer :: k, n
    real(8) :: row(size(x, 2))
    n = 1
    if (present(times)) n = times
    row = 0
    !$cppc register(n, k, row)
    do k = 1, n
      row = row + x(0, :)
      !$cppc checkpoint
      x(mod(k, size(x, 1)), :) = row * 0.5d0 + k
    end do
  end subroutine shape_of

  subroutine explicit(x, n, scale)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), optional :: scale
    !$cppc register(x)   ! which may be a copy
    x(1) = x(1) + x(n)
    !$cppc checkpoint
    if (present(scale)) x = x * scale
    x(n) = x(n) + 1
  end subroutine explicit
end program assumed
