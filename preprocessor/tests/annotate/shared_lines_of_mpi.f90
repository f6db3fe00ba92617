! The call of MPI_Init shares its line with other calls.
program ring
  use mpi
  implicit none
  integer :: rank, size, error, i, status(mpi_status_size); real(8) :: x, y
  call mpi_init(error); call mpi_comm_rank(mpi_comm_world, rank, error); call mpi_comm_size(mpi_comm_world, size, error)
  x = rank + 1
  do i = 1, 9
    !$cppc checkpoint
    call mpi_sendrecv(x, 1, mpi_double_precision, mod(rank + 1, size), 7, &
      y, 1, mpi_double_precision, mod(rank + size - 1, size), 7, mpi_comm_world, status, error)
    x = x * 0.5d0 + y + i
  end do
  if (rank == 0) print *, x; call mpi_finalize(error)
end program
