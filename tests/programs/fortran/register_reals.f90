! Exercises: reals and complex numbers of the kinds that every compiler has, as scalars and as arrays of
! several ranks.
program reals
  implicit none
  integer, parameter :: single = kind(1.0), double = selected_real_kind(15)
  real :: r
  real(single) :: r4, a4(2, 3)
  real(double) :: r8, a8(2, 2, 2)
  double precision :: d
  complex :: c
  complex(double) :: z, az(2, 2)
  integer :: i
  r = 0.5; r4 = 1.25; r8 = 2.5d0; d = 3.75d0
  a4 = reshape([1., 2., 3., 4., 5., 6.], [2, 3]); a8 = 1
  c = (1., -1.); z = (0.5d0, 2d0); az = (1d0, 0d0)
  !$cppc init
  !$cppc register(r, r4, r8, d, a4, a8, c, z, az)
  do i = 1, 5
    !$cppc checkpoint
    r = r * 1.5; r4 = r4 + r; r8 = r8 / 2 + r4; d = d - r8 * 0.125d0
    a4 = a4 * 0.5 + r; a8(mod(i, 2) + 1, :, 1) = d; a8(:, 2, 2) = a8(:, 1, 1) + i
    c = c * (0., 1.) + r; z = z * (0.5d0, 0.5d0) + conjg(z); az(1, mod(i, 2) + 1) = z + az(2, 2)
    az(2, 2) = az(1, 1) - z
    print '(i2, 2(1x, z8.8), 2(1x, z16.16))', i, r, r4, r8, d
    print '(2(1x, z8.8), 2(1x, z16.16))', c, z
    print '(6(1x, z8.8), 8(1x, z16.16))', a4, a8
    print '(8(1x, z16.16))', az
  end do
  !$cppc shutdown
end program reals
