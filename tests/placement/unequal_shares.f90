! passes: 6
! processes: 2
! warns: C0810
! excludes: 5
! As shares.c.
program shares
  use mpi
  implicit none
  integer, parameter :: steps = 12, n = 500
  integer :: rank, size, i, k, share, error
  double precision :: x(n), total, sum
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  x = 0
  sum = 0
  share = steps / size
  if (rank < mod(steps, size)) share = share + 1
  do i = 1, share
    do k = 1, n
      x(k) = 0.5d0 * x(k) + i + rank + k
      sum = sum + x(k)
    end do
  end do
  call mpi_reduce(sum, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(i0, a, f20.6)', size, ' processes: ', total
  call mpi_finalize(error)
end program
