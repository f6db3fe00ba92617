subroutine steps(a, n, step)
  integer, intent(in) :: n, step
  real(8) :: a(n), x
  integer :: i
  do i = 1, n, step
    a(i) = 0
  end do
  do x = 0d0, 1d0, 0.25d0
    a(1) = a(1) + x
  end do
  do while (a(1) > 0)
    a(1) = a(1) - 1
  end do
end subroutine
