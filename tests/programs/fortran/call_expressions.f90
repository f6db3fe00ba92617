! Exercises: functions that lead to a checkpoint, in expressions, conditions, bounds and steps of loops,
! DO WHILE, SELECT, subscripts, arguments of calls and of one another, array constructors and output
! lists.
program expressions
  implicit none
  integer :: i, k, n, a(6)
  real(8) :: x, y
  a = 0; n = 0; x = 1; y = 0
  !$cppc init
  !$cppc register(a, n, x, y, k)
  do i = 1, tick(3)
    x = norm(x) * 2 + norm(y + i) - tick(1)
    a(tick(i)) = tick(2) + a(tick(1))
    if (tick(i) > 2 .and. norm(x) > 1) then
      y = y + 1
    else if (tick(n) < 0) then
      y = -1
    else if (norm(y) > 2) then
      y = y * 0.5d0
    end if
    print '(i2, 2i5, 2(1x, z16.16))', i, tick(i), n, norm(x), y
  end do
  k = 0
  do while (tick(k) < 4)
    k = k + 1
    x = x + (norm(y) + norm(norm(x)))
  end do
  do i = tick(5), tick(1), -tick(2)
    a(i) = a(i) + i
  end do
  select case (tick(2) + tick(1))
  case (3)
    y = max(norm(x), norm(y), 0.25d0)
  case default
    y = 0
  end select
  a(1:3) = [tick(7), tick(8), tick(9)]
  a(4:6) = [(a(k) + 1, k = 1, 3)]
  call take(norm(x), tick(n) + 1, a(tick(3):))
  print '(6i4, i5, 2(1x, z16.16))', a, n, x, y
  !$cppc shutdown
contains
  integer function tick(value)
    integer, intent(in) :: value
    n = n + 1
    !$cppc checkpoint
    tick = value
  end function tick

  real(8) function norm(v) result(length)
    real(8), intent(in) :: v
    length = abs(v) * 0.5d0
    !$cppc register(length)
    !$cppc checkpoint
    length = length + 0.25d0
  end function norm

  subroutine take(v, count, rest)
    real(8), intent(in) :: v
    integer, intent(in) :: count
    integer, intent(inout) :: rest(:)
    rest = rest + count
    !$cppc checkpoint
    x = x + v
  end subroutine take
end program expressions
