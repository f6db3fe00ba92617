! Exercises: bounds and steps that are variables and change while the loop runs, loop variables that
! are dummies, of other kinds, in COMMON and in the host; values of loop variables behind the loop.
! rehearse: without --state (a variable that is set before it is used is an argument of a call in the plan)
program bounds
  implicit none
  integer :: first, last, step, i, total, in_common
  integer(8) :: wide
  integer(2) :: narrow
  common /loop/ in_common
  first = 2; last = 9; step = 3; total = 0
  !$cppc init
  !$cppc register(first, last, step, total)
  do i = first, last, step
    first = first + 100; last = 0; step = -step
    !$cppc checkpoint
    total = total + i + step
    print '(a, 5i8)', 'a', i, first, last, step, total
  end do
  print '(a, 2i8)', 'after', i, total
  last = 3
  do wide = 10000000000_8, 10000000000_8 + 2 * last, int(last, 8) - 1
    last = last + 1
    !$cppc checkpoint
    total = total + int(mod(wide, 1000_8))
    print '(a, i14, i8)', 'b', wide, total
  end do
  do narrow = 5_2, -5_2, -4_2
    !$cppc checkpoint
    total = total * 2 + narrow
    do in_common = 1, 2 + narrow / 4
      !$cppc checkpoint
      total = total - in_common
    end do
    print '(a, 3i8)', 'c', narrow, in_common, total
  end do
  call dummy_loop(i, total)
  call host_loop()
  print '(a, 2i8)', 'end', i, total
  !$cppc shutdown
contains
  subroutine dummy_loop(k, sum)
    integer, intent(inout) :: k, sum
    !$cppc register(sum)
    do k = 1, 3
      sum = sum + k
      !$cppc checkpoint
    end do
  end subroutine dummy_loop

  subroutine host_loop()
    do i = i, i + 2
      !$cppc checkpoint
      total = total + i * 10
    end do
  end subroutine host_loop
end program bounds
