! Exercises: `auto(register)` and `checkpoint`, and no other directive, in a program of two files.
! order: smoothing.f90 main.f90
! writes: files
!$cppc auto(register)
program main
  use smoothing
  implicit none
  double precision, allocatable :: u(:)
  double precision :: total
  integer :: n, i, step
  n = 12
  allocate(u(n))
  do i = 1, n
    u(i) = mod(i, 5)
  end do
  total = 0
  open(unit=21, file='journal.txt')
  do step = 1, 8
!$cppc checkpoint
    call smooth(u)
    total = total + u(n / 2) + calls
    write(21, *) step, total
    print '(i3, es24.16)', step, total
  end do
  close(21)
end program main
