! Exercises: arrays and variables of modules and COMMON that are written in a loop and read by nobody
! but the checkpoint and what comes after the loop: the stores must be there when the checkpoint runs.
module counters
  implicit none
  integer, private :: hidden = 0
  integer :: open_count = 0
contains
  subroutine work()
    integer :: i
    !$cppc register(hidden, open_count)
    do i = 1, 6
      hidden = hidden + i
      open_count = open_count + 2
      !$cppc checkpoint
    end do
    print '(2i6)', hidden, open_count
  end subroutine work
end module counters

program stale
  use counters
  implicit none
  integer :: i, k, marks(4)
  real(8) :: a(4), last(2, 2)
  real(8), allocatable :: h(:)
  common /area/ last
  marks = 0; a = 0; last = 0
  allocate (h(3))
  h = 0
  !$cppc init
  !$cppc register(marks, a, last, h)
  do i = 1, 10
    a(1) = i
    a(2) = a(1) * 0.5d0
    marks(mod(i, 4) + 1) = i
    last(2, 1) = i - 0.25d0
    do k = 1, 3
      h(k) = i * k
    end do
    !$cppc checkpoint
  end do
  print '(4i4, 11(1x, z16.16))', marks, a, last, h
  a(3) = 0
  do i = 1, 8
    a(3) = a(3) + 1
    !$cppc checkpoint
    a(4) = i
  end do
  print '(4(1x, z16.16))', a
  call work()
  !$cppc shutdown
end program stale
