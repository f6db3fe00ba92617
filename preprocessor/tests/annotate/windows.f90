program windows
  ! The window uses the memory of `field`, so its register is before the block. The components of `grid` are captured.
  implicit none
  type layout
    integer :: extents(2)
  end type layout
  real, allocatable :: field(:)
  type(layout) :: grid
  integer :: step, window, cartesian, size, ierr
  logical :: periods(2)
  call mpi_init(ierr)
  allocate(field(4))
  field = 1
  size = 16
  call mpi_win_create(field, size, 4, 0, 0, window, ierr)
  grid%extents = 2
  periods = .false.
  call mpi_cart_create(0, 2, grid%extents, periods, .false., cartesian, ierr)
  do step = 1, 5
    !$cppc checkpoint
    call mpi_win_fence(0, window, ierr)
    call mpi_barrier(cartesian, ierr)
    field = field + step
  end do
  print *, field
  call mpi_finalize(ierr)
end program windows
