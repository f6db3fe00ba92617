! Exercises: constructs that no restart can enter, next to blocks and between them: WHERE, FORALL, DO
! CONCURRENT, array constructors with loops, pointer assignment, and I/O with implied loops.
program elsewhere
  implicit none
  integer :: i, k
  real(8) :: a(8), b(8)
  logical :: mask(8)
  a = [(k * 0.5d0, k = 1, 8)]; b = 0; mask = .false.
  !$cppc init
  !$cppc register(a, b, mask)
  do i = 1, 5
    where (a > i)
      a = a - 1
    elsewhere (mask)
      a = a + 2
    elsewhere
      a = a * 1.5d0
    end where
    !$cppc checkpoint
    forall (k = 1:8, mod(k, 2) == 0) b(k) = a(k) + a(9 - k)
    do concurrent (k = 1:8)
      mask(k) = a(k) > b(k)
    end do
    !$cppc checkpoint
    where (mask) b = b + 0.25d0
    do concurrent (k = 1:8, mask(k)); a(k) = a(k) - 0.125d0; end do
    print '(i2, 8l2, 4(1x, z16.16))', i, mask, sum(a), (b(k), k = 1, 8, 3)
  end do
  !$cppc shutdown
end program elsewhere
