! machines: x86-64 i386
! The reals of the x87, of which 10 bytes count: they take 16 on x86-64 and 12 on i386.
program extended
  implicit none
  real(10), save :: x = 0.1_10, xs(5) = [1._10, 0.3_10, -0.7_10, 1e300_10, 0._10]
  complex(10), save :: z = (0.1_10, -0.3_10), zs(2, 2)
  real(10) :: y
  complex(10) :: w
  real(10), allocatable :: grown(:)
  integer :: turn
  !$cppc init
  y = 1._10 / 3; w = cmplx(y, -y, 10); zs = w; xs(4) = xs(4)**10; xs(5) = -1._10 / huge(y)
  allocate (grown(-2:3)); grown = [1, 2, 3, 4, 5, 6] / 7._10
  !$cppc register(x, xs, z, zs, y, w, grown)
  do turn = 1, 3
    !$cppc checkpoint
    call maybe_die(turn)
    x = x / 3; xs(1:3) = xs(1:3) * 1.1_10; z = z * (0, 1); zs(turn:2, 1) = z * 0.3_10; y = y + x; w = w + conjg(z)
    xs(4) = xs(4) / 2; grown = cshift(grown, 1) / 3
  end do
  print '(es30.20, 5(1x, es30.20e4))', x, xs
  print '(10(1x, es30.20))', z, zs
  print '(3(1x, es30.20), 2i3, 6(1x, es30.20))', y, w, lbound(grown), ubound(grown), grown
  !$cppc shutdown
end program extended

include 'dying.inc'
