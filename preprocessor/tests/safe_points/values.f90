! verdict: safe
! mutation: n = 2 => n = 2 + ishft(-1, -28 - rank) => not safe
! mutation: n = 2 => n = merge(2, rank, ishft(-1, -28) == 15) => not safe
! mutation: n = 2 => e(1) = 1; e(2) = rank; n = int(v / 2_8**32) => not safe
! mutation: n = 2 => y = rank + 1; call mpi_bcast(y(1:3:2), 2, mpi_integer, 0, mpi_comm_world, ierr); n = y(2) => not safe
! mutation: n = 2 => y = rank + 1; call mpi_bcast(y(1:2), 2, mpi_integer, 0, mpi_comm_world, ierr); n = y(2) => safe
! mutation: n = 2 => y = rank + 1; call mpi_bcast(y, 4, mpi_integer, 0, mpi_comm_world, ierr); n = y(4) => safe
! mutation: n = 2 => n = modulo(-7, -3) + 3 => safe
! Values that are the same in all processes, or are not.
program values
  use mpi
  implicit none
  integer :: rank, ierr, i, n, e(2), y(4)
  integer(8) :: v
  real(8) :: u
  equivalence (e, v)
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  u = 1
  n = 2
  do i = 1, n
    !$cppc checkpoint
    u = u + i
  end do
  call mpi_finalize(ierr)
end program
