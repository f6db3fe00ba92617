! Exercises: recursive procedures with checkpoints, with variables of outer frames that are needed after the inner calls;
! results of functions that are set before a checkpoint.
module walks
  implicit none
  integer :: visits = 0, total = 0
contains
  recursive subroutine walk(node, depth)
    integer, intent(in) :: node, depth
    integer :: mine, k
    if (depth > 3) return
    !$cppc register(mine, k)
    visits = visits + 1
    if (mod(visits, 5) == 0) then
      !$cppc checkpoint
      total = total + 1
    end if
    mine = visits * 7
    k = 0
    do while (k < 3)
      call walk(node * 3 + k, depth + 1)
      k = k + 1
    end do
    total = mod(total * 3 + mine, 10007)
  end subroutine

  integer function rotate(seed)
    integer, intent(inout) :: seed
    !$cppc register(rotate)
    seed = mod(seed * 171 + 11, 30269)
    rotate = seed
    !$cppc checkpoint
  end function

  function pair(seed) result(both)
    integer, intent(inout) :: seed
    real :: both(2)
    !$cppc register(both)
    both(1) = seed
    seed = mod(seed * 171 + 11, 30269)
    !$cppc checkpoint
    both(2) = seed
  end function
end module

program outer_frames
  use walks
  implicit none
  integer :: seed, i, s
  !$cppc init
  !$cppc register(visits, total, seed, s)
  call walk(1, 0)
  print *, total, visits
  seed = 42
  s = 0
  do i = 1, 4
    s = mod(s * 3 + rotate(seed), 100003)
    print *, s, sum(pair(seed))
  end do
  !$cppc shutdown
end program
