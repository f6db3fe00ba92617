! verdict: safe
! mutation: call mpi_waitall(2 => call mpi_waitall(1 => unsafe
! mutation: dest, tag => source, tag => not safe
! mutation: dest, tag => dest, tag + 1 => not safe
program trial
  use mpi
  implicit none
  integer :: me, np, ierr, i, n, st(mpi_status_size), dims(2), grid, source, dest, r(2)
  integer, parameter :: tag = 9
  logical :: periods(2)
  double precision :: x, y, total
  x = 1; y = 0; n = 10
  call mpi_init(ierr)
!$cppc init
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  dims = 0
  periods = .false.
  call mpi_dims_create(np, 2, dims, ierr)
  call mpi_cart_create(mpi_comm_world, 2, dims, periods, .false., grid, ierr)
  call mpi_cart_shift(grid, 1, 1, source, dest, ierr)
  !$cppc register(n, x, y, total)
  do i = 1, n
    call mpi_irecv(y, 1, mpi_double_precision, source, tag, grid, r(1), ierr)
    call mpi_isend(x, 1, mpi_double_precision, dest, tag, grid, r(2), ierr)
    call mpi_waitall(2, r, mpi_statuses_ignore, ierr)
!$cppc checkpoint
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
end program
