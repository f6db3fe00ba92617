! A message is sent before the checkpoint and received after it.
program trial
  use mpi
  implicit none
  integer :: me, np, i, ierr, request, status(mpi_status_size)
  double precision :: x, y
  call mpi_init(ierr)
!$cppc init
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  x = me
!$cppc register(x, y)
  do i = 1, 10
    if (me == 0) call mpi_send(x, 1, mpi_double_precision, 1, 5, mpi_comm_world, ierr)
!$cppc checkpoint
!      ~~~~~~~~~~ error[C0801] a message is in transit at this checkpoint
    if (me == 1) call mpi_recv(x, 1, mpi_double_precision, 0, 5, mpi_comm_world, status, ierr)
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
end program
