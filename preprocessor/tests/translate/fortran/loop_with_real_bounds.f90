! A loop with computed bounds: they are evaluated once.
subroutine work(n, total)
  integer, intent(inout) :: n, total
  integer :: i
  !$cppc register(n, total)
  do i = n, 2 * n, n / 3
    !$cppc checkpoint
    n = n + 1
    total = total + i
  end do
end subroutine
