subroutine sections(a, b, idx, text, k)
  real :: a(10, 20), b(0:9)
  integer :: idx(3), k
  character(len=8) :: text
  a = 0
  a(:, k) = b(0:9)
  a(2:10:2, 1) = b(k)
  b(idx) = a(1, 1:3)
  text(2:3) = 'ab'
  b(5:) = sum(a(:, 1))
  where (a > 0) a = 1/a
  forall (k = 1:9, a(k, 1) > 0) b(k) = b(k-1)
end subroutine
