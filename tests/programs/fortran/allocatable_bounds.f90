! Exercises: allocatables of several ranks with bounds other than 1, grown, given back and made again,
! of size zero, and not allocated at all at some checkpoints.
program bounds
  implicit none
  integer :: i, low, high
  real(8), allocatable :: u(:), grid(:, :), now_and_then(:), never(:)
  integer(2), allocatable :: cube(:, :, :)
  logical, allocatable :: flags(:)
  real(8), allocatable :: grown(:)
  complex(8), allocatable :: one
  low = -3
  high = 4
  allocate (u(low:high), grid(0:3, -1:1), cube(2, 5:6, 0:1), flags(0), one)
  u = 1; grid = 2; cube = 3; one = (1, 2)
  !$cppc init
  !$cppc register(u, grid, cube, flags, one, now_and_then, never)
  do i = 1, 9
    !$cppc checkpoint
    u(low + mod(i, 8)) = u(high) + i
    u(high) = u(high) * 0.5d0
    grid(mod(i, 4), :) = grid(0, lbound(grid, 2)) + u(low)
    cube(1, 6, mod(i, 2)) = cube(1, 6, mod(i, 2)) + int(i, 2)
    one = one * (0, 1)
    if (mod(i, 3) == 0) then
      allocate (grown(lbound(u, 1) - 1:ubound(u, 1) + 2))
      grown = 0.25d0
      grown(low:high) = u
      call move_alloc(grown, u)
      low = low - 1
      high = high + 2
    end if
    if (mod(i, 4) == 1) then
      allocate (now_and_then(i:2 * i))
      now_and_then = i * 0.5d0
    else if (mod(i, 4) == 3) then
      deallocate (now_and_then)
    end if
    if (i == 5) then
      deallocate (flags)
      allocate (flags(-1:1))
      flags = [.true., .false., .true.]
    end if
    !$cppc register(low, high)
    !$cppc checkpoint
    if (allocated(now_and_then)) now_and_then(i) = now_and_then(i) + u(low)
    print '(9i4, l2, 6(1x, z16.16))', i, lbound(u), ubound(u), size(u), shape(grid), sum(cube), size(flags), low, &
      allocated(now_and_then), sum(u), sum(grid), u(low), u(high), one
    if (allocated(now_and_then)) print '(2i4, 1x, z16.16)', lbound(now_and_then), ubound(now_and_then), sum(now_and_then)
    if (size(flags) > 0) flags = .not. flags
    print '(8l2)', flags, allocated(never)
  end do
  !$cppc shutdown
end program bounds
