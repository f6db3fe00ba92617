! verdict: unsafe
program trial
  use mpi
  implicit none
  integer :: me, np, ierr, i, n, st(mpi_status_size)
  double precision :: x, y, total
  x = 1; y = 0; n = 10
  call mpi_init(ierr)
!$cppc init
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  !$cppc register(n, x, y, total)
  do i = 1, n
    if (me == 0) call mpi_send(x, 1, mpi_double_precision, np - 1, 1, mpi_comm_world, ierr)
!$cppc checkpoint
    if (me == np - 1) call mpi_recv(y, 1, mpi_double_precision, 0, 1, mpi_comm_world, st, ierr)
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
end program
