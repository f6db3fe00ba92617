! The checkpoint lies here.
subroutine settle(v, n, times, moved)
  implicit none
  integer, intent(in) :: n, times
  real(8), intent(inout) :: v(n), moved
  integer :: t, k
  real(8) :: old
  !$cppc register(t, moved)
  do t = 1, times
    do k = 1, n
      old = v(k)
      v(k) = (old + v(mod(k, n) + 1)) * 0.5d0
      moved = moved + old - v(k)
    end do
    !$cppc checkpoint
    v(mod(t, n) + 1) = v(mod(t, n) + 1) + 1
  end do
end subroutine settle
