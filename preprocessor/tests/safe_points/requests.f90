! verdict: safe
! mutation: call finish(2) => call finish(1) => unsafe
! mutation: near(1, 3 - axis), tags(1, axis) => near(1, axis), tags(1, axis) => not safe
! mutation: near(1, 3 - axis), tags(1, axis) => near(2, 3 - axis), tags(1, axis) => not safe
program trial
  use mpi
  implicit none
  integer :: rank, size, error, i, axis
  integer :: near(2, 2), tags(2, 2), ids(2, 2), slot(2)
  common /plan/ near, tags, ids
  double precision :: x, y
  call mpi_init(error)
!$cppc init
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  slot(1) = 2
  slot(2) = 1
  do i = 1, 2
    tags(1, slot(i)) = 10 * i
    near(1, i) = mod(rank + 2 * i - 3 + size, size)
    near(2, i) = rank
  end do
!$cppc register(x, y, near, tags, rank, size)
  do i = 1, 10
    do axis = 1, 2
      call ready(axis, y)
    end do
    do axis = 1, 2
      call mpi_send(x, 1, MPI_DOUBLE_PRECISION, near(1, 3 - axis), tags(1, axis), MPI_COMM_WORLD, error)
    end do
    call finish(1)
    call finish(2)
!$cppc checkpoint
  end do
!$cppc shutdown
  call mpi_finalize(error)
end program

subroutine ready(axis, y)
  use mpi
  implicit none
  integer :: axis, error
  double precision :: y
  integer :: near(2, 2), tags(2, 2), ids(2, 2)
  common /plan/ near, tags, ids
  call mpi_irecv(y, 1, MPI_DOUBLE_PRECISION, near(1, axis), tags(1, axis), MPI_COMM_WORLD, ids(2, axis), error)
end subroutine

subroutine finish(axis)
  use mpi
  implicit none
  integer :: axis, error
  integer :: near(2, 2), tags(2, 2), ids(2, 2), status(MPI_STATUS_SIZE)
  common /plan/ near, tags, ids
  call mpi_wait(ids(2, axis), status, error)
end subroutine
