! Exercises: DO WHILE, DO without an end, EXIT and CYCLE with and without names, out of several loops.
program whiles
  implicit none
  integer :: n, i, j, steps
  n = 27; steps = 0
  !$cppc init
  !$cppc register(n, steps, i, j)
  collatz: do while (n /= 1)
    steps = steps + 1
    if (steps > 20) exit
    if (mod(n, 2) == 0) then
      n = n / 2
      !$cppc checkpoint
      cycle collatz
    end if
    !$cppc checkpoint
    n = 3 * n + 1
    print '(a, 2i6)', 'n', steps, n
  end do collatz
  i = 0
  do
    i = i + 1
    if (mod(i, 3) == 0) cycle
    !$cppc checkpoint
    n = n + i
    if (n > 260) exit
  end do
  print '(a, 2i6)', 'm', i, n
  outer: do i = 1, 4
    inner: do j = 1, 4
      if (j == 3 .and. i == 2) cycle outer
      !$cppc checkpoint
      n = n + i * j
      if (n > 300) exit outer
      if (j == i) exit inner
    end do inner
    !$cppc checkpoint
    print '(a, 3i6)', 'o', i, j, n
  end do outer
  print '(a, 3i6)', 'p', i, j, n
  do while (n > 0); n = n - 100
    !$cppc checkpoint
    print '(a, i6)', 'q', n; enddo
  !$cppc shutdown
end program whiles
