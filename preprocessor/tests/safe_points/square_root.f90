! verdict: safe
! mutation: nint(sqrt(real(size))) => nint(sqrt(real(size))) + 1 => not safe
! mutation: rank - 1 => rank - 2 => not safe
! mutation: nint(sqrt(real(size))) => int(10 * (0.1d0 * size)) => unknown
program trial
  use mpi
  implicit none
  integer :: rank, size, error, i, width, powers
  integer :: nodes
  double precision :: x, y
  call mpi_init(error)
!$cppc init
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  width = nint(sqrt(real(size)))
  powers = nodes(size)
!$cppc register(x, y, rank, size, width, powers)
  do i = 1, 10
    if (rank < width .and. rank + 1 < size) call mpi_send(x, 1, MPI_DOUBLE_PRECISION, rank + 1, powers, MPI_COMM_WORLD, error)
    if (rank >= 1 .and. rank - 1 < nint(sqrt(dble(size)))) then
      call mpi_recv(y, 1, MPI_DOUBLE_PRECISION, rank - 1, 2**powers / 2**(powers - 1) * powers / 2, MPI_COMM_WORLD, &
          MPI_STATUS_IGNORE, error)
    end if
!$cppc checkpoint
  end do
!$cppc shutdown
  call mpi_finalize(error)
end program

integer function nodes(number)
  implicit none
  integer :: number
  nodes = log(dble(number)) / log(2.0d0) + 0.00001
end function
