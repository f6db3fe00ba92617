! A restart repeats the calls on the way to a checkpoint, and evaluates the declarations of the procedures again. `late` is
! registered after that, and `n` and `one` are recorded with the call. A restart passes the shape of `rows` again, which
! statements after the checkpoint need. `early` is asked for before it.
! reports: block_size, cells, count, dims, grid, late, length, rows, size_of, title_length
! all: block_size, cells, count, dims, grid, late, length, rows, size_of, title_length
module sizes
  implicit none
  integer :: count = 1, late = 1, length = 1, size_of = 1, title_length = 1
  type shape_of_grid
    integer :: n = 1
  end type shape_of_grid
contains
  pure integer function twice(n)
    integer, intent(in) :: n
    twice = n + size_of
  end function twice

  subroutine work(n, one, dims, grid, cells)
    integer, intent(in) :: n, one, dims(2)
    type(shape_of_grid), intent(in) :: grid
    real, intent(in) :: cells(:)
    real :: a(count), b(n, one), c(dims(2)), d(grid%n), e(size(cells)), f(twice(n)), g(late)
    character(len=length) :: text
    integer :: i
    !$cppc register(late)
    do i = 1, 4
      !$cppc checkpoint
      print *, size(a), size(b), size(c), size(d), size(e), size(f), size(g), len(text)
    end do
  end subroutine work

  character(len=title_length) function title(first)
    character, intent(in) :: first
    integer :: i
    !$cppc register(title)
    title = first
    do i = 1, 3
      !$cppc checkpoint
      title(2:2) = first
    end do
  end function title

  subroutine outer(rows, early)
    real, intent(in) :: rows(:), early(:)
    print *, size(early)
    call inner(rows)
  end subroutine outer

  subroutine inner(of)
    real, intent(in) :: of(:)
    integer :: i
    do i = 1, 4
      !$cppc checkpoint
      print *, size(of)
    end do
  end subroutine inner
end module sizes

program sizes_evaluated_again
  use sizes
  implicit none
  integer :: n, numbers(2), dims(2), block_size, i
  type(shape_of_grid) :: grid
  real, allocatable :: cells(:), rows(:), early(:)
  !$cppc init
  count = 2
  late = 3
  length = 4
  size_of = 5
  n = 6
  numbers = 7
  dims = 8
  grid%n = 9
  block_size = 10
  allocate (cells(11))
  call work(n, numbers(2), dims, grid, cells)
  title_length = 12
  print *, title('a')
  allocate (rows(13), early(14))
  call outer(rows, early)
  do i = 1, 3
    block
      real :: h(block_size)
      !$cppc checkpoint
      print *, size(h)
    end block
  end do
  !$cppc shutdown
end program sizes_evaluated_again
