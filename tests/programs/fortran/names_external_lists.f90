! Exercises: every procedure that is called has to be declared, in a procedure whose arrays are re-passed in lists by
! contained procedures of the translation.
program p
  implicit none (type, external)
  integer :: i
  real(8), allocatable :: a(:), b(:), c(:), d(:), e(:), f(:), g(:)
  real(8), pointer :: q(:, :)
  allocate (a(2), b(3), c(4), d(5), e(6), f(7), g(8), q(2, 2))
  a = 1; b = 2; c = 3; d = 4; e = 5; f = 6; g = 7; q = 8
  !$cppc init
  !$cppc register(a, b, c, d, e, f, g, q)
  do i = 1, 3
    !$cppc checkpoint
    a = a + i; b = b * 2; c = c - i; q(:, 1) = q(:, 1) + a
    !$cppc checkpoint
    d = d + i; e = e * 2; f = f - i; g = g + q(1, 1)
  end do
  print '(8f8.1)', sum(a), sum(b), sum(c), sum(d), sum(e), sum(f), sum(g), sum(q)
  !$cppc shutdown
end program p
