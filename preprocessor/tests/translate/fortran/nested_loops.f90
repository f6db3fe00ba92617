! A restart sets the counters of all loops around the checkpoint.
subroutine work(total)
  integer, intent(inout) :: total
  integer :: i, k
  !$cppc register(total)
  do i = 1, 3
    do k = i, 9, 2
      !$cppc checkpoint
      total = total + i * k
    end do
  end do
end subroutine
