! The neighbours are known only if there is no input file.
program trial
  use mpi
  implicit none
  integer :: rank, size, error, i, distance, status
  double precision :: x, y
  call mpi_init(error)
!$cppc init
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  if (rank == 0) then
    open (unit=7, file='test.input', status='old', iostat=status)
    if (status == 0) then
      read (7, *) distance
    else
      distance = 1
    end if
  end if
  call mpi_bcast(distance, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
!$cppc register(x, y, rank, size, distance)
!$cppc checkpoint loop
!$cppc allow(C0701)
  do i = 1, 10
    call mpi_sendrecv(x, 1, MPI_DOUBLE_PRECISION, mod(rank + distance, size), 1, y, 1, MPI_DOUBLE_PRECISION, &
        mod(rank - distance + size, size), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end do
!$cppc shutdown
  call mpi_finalize(error)
end program
