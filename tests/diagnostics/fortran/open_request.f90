! The request is completed after the checkpoint.
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
    call mpi_irecv(y, 1, mpi_double_precision, mod(me + 1, np), 5, mpi_comm_world, request, ierr)
!$cppc checkpoint
!      ~~~~~~~~~~ error[C0802] a communication is not complete at this checkpoint
    call mpi_send(x, 1, mpi_double_precision, mod(me + np - 1, np), 5, mpi_comm_world, ierr)
    call mpi_wait(request, status, ierr)
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
end program
