subroutine each(a, n)
  integer, intent(in) :: n
  real :: a(n, n)
  integer :: i, j
  do concurrent (i = 1:n, j = 1:n:2, i /= j)
    a(i, j) = a(j, i)
  end do
  a(:, 1) = [(real(i), i = 1, n)]
end subroutine
