! Exercises: kinds that come from modules and constants, `implicit` typing rules, dimensions by
! attribute and by entity, `parameter` expressions in bounds.
module kinds
  use, intrinsic :: iso_fortran_env, only: wp => real64, i8 => int64
  implicit none
  integer, parameter :: sp = selected_real_kind(6, 30), extent = 2 * 3 - 1
end module kinds

program by_name
  use kinds
  use iso_c_binding, only: c_int, c_double
  implicit real(wp) (a-h), integer(i8) (q), character(len=3) (s)
  integer, parameter :: n = extent + 1, m = max(2, n / 2)
  real(wp), dimension(n, 0:m) :: grid, other(extent)
  real(kind=sp) line(n - 1)
  integer(c_int) :: ci
  real(c_double) :: cd
  dimension fast(4)
  integer :: i
  grid = 1; other = 2; line = 3; ci = 4; cd = 5; fast = 6; b = 7; q = 8; s = 'abc'
  !$cppc init
  !$cppc register(grid, other, line, ci, cd, fast, b, q, s)
  do i = 1, 5
    !$cppc checkpoint
    grid(i, mod(i, m)) = grid(n, m) + other(extent) * i
    grid(n, m) = grid(n, m) * 0.5_wp + b
    other = cshift(other, 1) + i; line(i) = line(1) + real(b, sp); ci = ci * 3; cd = cd - fast(1)
    fast(mod(i, 4) + 1) = cd * 0.25_wp; b = b + other(1); q = q * 7 - i; s = s(2:3) // s(1:1)
    print '(i2, i8, i12, 1x, a, 9(1x, z16.16))', i, ci, q, s, b, cd, sum(grid), other, sum(fast)
    print '(5(1x, z8.8))', line
  end do
  !$cppc shutdown
end program by_name
