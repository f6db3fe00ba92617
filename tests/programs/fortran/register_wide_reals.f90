! Exercises: the kinds of real and complex that are wider than eight bytes, and integers of 16 bytes.
!
! compilers: gfortran
program wide_reals
  implicit none
  real(10) :: r10, a10(3)
  real(16) :: r16, a16(2)
  complex(10) :: c10
  complex(16) :: c16
  integer(16) :: i16, b16(2)
  integer :: i
  r10 = 1.5_10; a10 = [1._10, 2._10, 3._10]; r16 = 2.5_16; a16 = 0.125_16
  c10 = (1._10, -2._10); c16 = (0.5_16, 0.25_16); i16 = 10_16**30; b16 = [1_16, -1_16]
  !$cppc init
  !$cppc register(r10, a10, r16, a16, c10, c16, i16, b16)
  do i = 1, 5
    !$cppc checkpoint
    r10 = r10 * 1.5_10 + a10(1); a10 = cshift(a10, 1) * 0.5_10
    r16 = r16 / 2 + a16(2); a16 = a16 * 3
    c10 = c10 * (0._10, 1._10) + r10; c16 = c16 + conjg(c16) * 0.5_16
    i16 = i16 - 3_16**(40 + i); b16 = b16 * 2**i
    print '(i2, 4(1x, es30.20))', i, r10, a10
    print '(3(1x, es44.34))', r16, a16
    print '(2(1x, es30.20), 2(1x, es44.34))', c10, c16
    print '(3i40)', i16, b16
  end do
  !$cppc shutdown
end program wide_reals
