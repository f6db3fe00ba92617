! Exercises: scalars that are written in the loop and read by nobody but the checkpoint and what comes
! after the loop. An optimiser that may think so keeps them in registers or writes them once, behind
! the loop; then a state file has what they were at first.
program stale
  implicit none
  integer :: i, count
  real(8) :: x, largest
  real :: single
  complex(8) :: z
  logical :: flag
  character(len=4) :: word
  count = 0; x = 0; largest = -1; single = 1; z = 0; flag = .false.; word = 'none'
  !$cppc init
  !$cppc register(count, x, largest, single, z, flag, word)
  do i = 1, 12
    count = count + i
    x = x + 0.5d0 * i
    largest = max(largest, x - count)
    single = single * 1.5
    z = z + cmplx(i, -i, 8)
    flag = .not. flag
    word = achar(64 + i) // 'abc'
    !$cppc checkpoint
  end do
  print '(i6, 2(1x, z16.16), 1x, z8.8, 2(1x, z16.16), l2, 1x, a)', count, x, largest, single, z, flag, word
  count = 0
  do i = 1, 9
    count = i * i
    x = count
    !$cppc checkpoint
    x = x + count
  end do
  print '(i6, 1x, z16.16, i4)', count, x, i
  call below(12)
  !$cppc shutdown
contains
  subroutine below(n)
    integer, intent(in) :: n
    integer :: k, sum
    real(8) :: y
    sum = 0
    y = 1
    !$cppc register(sum, y)
    do k = 1, n
      sum = sum + k * k
      y = y * 0.5d0
      call save_it()
    end do
    print '(i6, 1x, z16.16)', sum, y
  end subroutine below

  subroutine save_it()
    !$cppc checkpoint
  end subroutine save_it
end program stale
