! verdict: safe
! mutation: goto 999 => goto 10 => unknown
! mutation: rank - 1 + size => rank - 2 + size => not safe
program trial
  use mpi
  implicit none
  integer :: rank, size, error, i, local
  double precision :: x, y
  call mpi_init(error)
!$cppc init
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  read (*, *) local
  do i = 1, 3
    if (local + i < 4) then
      print *, 'too small'
      goto 999
    end if
  end do
  call mpi_barrier(MPI_COMM_WORLD, error)
10 continue
!$cppc register(x, y, rank, size)
  do i = 1, 10
    call mpi_sendrecv(x, 1, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 1, y, 1, MPI_DOUBLE_PRECISION, &
        mod(rank - 1 + size, size), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
!$cppc checkpoint
  end do
!$cppc shutdown
999 continue
  call mpi_finalize(error)
end program
