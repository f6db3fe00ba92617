subroutine first(x, n)
  integer :: n, m
  real :: x(n)
  m = n
  goto 10
  entry other(x, m)
10 x(m) = 0
end subroutine
program main
  real :: y(5)
  call first(y, 5)
  call other(y, 4)
end program
