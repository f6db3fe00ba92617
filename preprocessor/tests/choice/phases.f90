! Two phases get a checkpoint each. The loop around the second one has three iterations.
program phases
  implicit none
  integer :: i, k, m
  double precision :: a(500)
  a = 1
  do k = 1, 40
    do i = 2, 500
      a(i) = a(i) + a(i - 1)
    end do
  end do
  do m = 1, 3
    a(1) = m
    k = 0
    do while (k < 40)
      k = k + 1
      call smooth(a)
    end do
  end do
  print *, a(500)
contains
  subroutine smooth(x)
    double precision :: x(500)
    integer :: i
    do i = 2, 500
      x(i) = 0.5d0 * (x(i) + x(i - 1))
    end do
  end subroutine
end program
