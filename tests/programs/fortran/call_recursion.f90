! Exercises: recursion, direct and mutual, with locals of each level, arrays among them, checkpoints on
! the way down and on the way up.
program recursion
  implicit none
  integer :: i, total
  total = 0
  !$cppc init
  !$cppc register(total)
  do i = 1, 3
    total = total + fib(i + 2)
    call down(i, 0.5d0 * i)
    print '(2i6)', i, total
  end do
  !$cppc shutdown
contains
  recursive integer function fib(n) result(value)
    integer, intent(in) :: n
    integer :: before
    if (n < 2) then
      !$cppc checkpoint
      value = n
      return
    end if
    before = fib(n - 1)
    !$cppc register(before)
    value = before + fib(n - 2)
  end function fib

  recursive subroutine down(level, x)
    integer, intent(in) :: level
    real(8), value :: x
    integer :: local(level + 1), k
    local = level
    !$cppc register(local, x)
    if (level > 0) call up(level - 1, local, x * 0.5d0)
    do k = 1, level
      local(k) = local(k) + k
      !$cppc checkpoint
    end do
    total = total + sum(local) + int(8 * x)
  end subroutine down

  recursive subroutine up(level, above, x)
    integer, intent(in) :: level
    integer, intent(inout) :: above(:)
    real(8), intent(in) :: x
    above(1) = above(1) * 2
    !$cppc checkpoint
    call down(level, x)
    above(size(above)) = above(size(above)) + total
  end subroutine up
end program recursion
