subroutine loops(n, a, m)
  integer, intent(in) :: n
  integer :: m, i, j
  real(8) :: a(n, *)
  outer: do j = 1, m
    do i = n, 1, -1
      if (a(i, j) < 0) cycle outer
      a(i, j) = 2*a(i, j)
    end do
    m = m - 1
    if (m == j) exit
  end do outer
  do while (m > 0)
    m = m - 1
  end do
  do i = 1, n, m
    a(i, 1) = i
  end do
end subroutine
