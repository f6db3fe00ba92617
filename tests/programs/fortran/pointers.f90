! Exercises: pointers to allocated arrays, swapped between checkpoints, to a part of an array with
! bounds of its own, to a scalar, and one that points to nothing.
program pointers
  implicit none
  integer :: i
  real(8), pointer :: now(:), next(:), spare(:), cell, nothing(:)
  real(8), pointer :: square(:, :)
  allocate (now(6), next(6), cell, square(0:1, 3))
  now = [1, 2, 3, 4, 5, 6]
  next = 0
  cell = 0.5d0
  square = 1
  nullify (spare, nothing)
  !$cppc init
  !$cppc register(now, next, cell, square, nothing)
  do i = 1, 7
    !$cppc checkpoint
    next = 0.5d0 * now + cshift(now, 1) * cell
    spare => now
    now => next
    next => spare
    cell = cell * 0.75d0
    square(mod(i, 2), 2) = square(1, 3) + now(1)
    if (i == 4) then
      deallocate (next)
      allocate (next(6))
      next = 0
    end if
    print '(i2, l2, 8(1x, z16.16))', i, associated(nothing), now, cell, sum(square)
  end do
  !$cppc shutdown
end program pointers
