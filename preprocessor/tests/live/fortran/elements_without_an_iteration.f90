! A loop registers some elements of `short` and `grid`, and the program uses others too. It uses only those of `long`.
! reports: grid, short
! all: grid, long, short
program elements
  implicit none
  type box
    real(8), allocatable :: u(:)
  end type box
  type(box) :: short(4), long(8), rest(4), grid(2, 3)
  integer :: i, j, k
  !$cppc init
  do i = 1, 4
    allocate (short(i)%u(i), rest(i)%u(i))
    short(i)%u = i; rest(i)%u = i
  end do
  do i = 1, 3
    allocate (long(i)%u(i), grid(1, i)%u(i), grid(2, i)%u(i))
    long(i)%u = i; grid(1, i)%u = i; grid(2, i)%u = i
    !$cppc register(long(i)%u)
  end do
  do i = 1, 3
    !$cppc register(short(i)%u, rest(i)%u)
  end do
  !$cppc register(rest(4)%u)
  do j = 1, 2
    do i = 1, 2
      !$cppc register(grid(j, i)%u)
    end do
  end do
  do k = 1, 5
    !$cppc checkpoint
    do i = 1, 4
      short(i)%u = short(i)%u + k
      rest(i)%u = rest(i)%u + k
    end do
    do i = 1, 3
      long(i)%u = long(i)%u + k
      grid(1, i)%u = grid(1, i)%u + k
    end do
    print *, k, short(2)%u, short(4)%u, long(3)%u, grid(1, 2)%u
  end do
  !$cppc shutdown
end program elements
