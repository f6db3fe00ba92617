! verdict: safe
! The loop ends when a value that all processes know is small enough. The first iteration is known.
! mutation: mpi_max, mpi_comm_world => mpi_max, half => not safe
! mutation: call mpi_allreduce(x, error, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr) => error = x => not safe
! mutation: do while (error > 0.01d0) => do; if (error <= 0.01d0) exit => safe
! mutation: do while (error > 0.01d0) => do; if (x <= 0.01d0) exit => not safe
! mutation: do while (error > 0.01d0) => do k = 1, 3 + rank => unsafe
! mutation: do while (error > 0.01d0) => do k = rank, 99, size => not safe
! mutation: do while (error > 0.01d0) => do k = 1, 3 => safe
program converges
  use mpi
  implicit none
  integer :: rank, size, half, i, k, ierr
  double precision :: x, total, error
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  call mpi_comm_split(mpi_comm_world, mod(rank, 2), rank, half, ierr)
  x = rank + 1
  do i = 1, 5
    error = 1
    do while (error > 0.01d0)
      !$cppc checkpoint
      x = x * 0.5d0
      call mpi_allreduce(x, error, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
    end do
    call mpi_allreduce(x, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    x = total / 7
  end do
  call mpi_finalize(ierr)
end program
