! Exercises: directives of compilers and of OpenMP around blocks, which are comments to us.
program lines
  implicit none
  integer :: i, k
  real(8) :: a(32), b(32)
  a = [(k * 0.5d0, k = 1, 32)]
  b = 0
  !$cppc init
  !$cppc register(a, b, i)
  !dir$ novector
  do i = 1, 4
    !dir$ ivdep
    !GCC$ ivdep
    do k = 1, 32
      b(k) = a(k) + i
    end do
    !$cppc checkpoint
    !$omp parallel do
    do k = 1, 32
      a(k) = b(k) * 0.5d0
    end do
    !$omp end parallel do
    !$acc loop
    print '(i3, 1x, z16.16)', i, sum(a)
  end do
  !$cppc shutdown
end program lines
