! A checkpoint in a loop. The loop counter is saved and restored by itself.
subroutine advance(u, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  integer :: i
  !$cppc register(u)
  do i = 1, n
    !$cppc checkpoint
    u(i) = 0.5 * u(i)
  end do
end subroutine
