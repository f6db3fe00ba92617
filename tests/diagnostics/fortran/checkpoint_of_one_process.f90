! Only one process passes the checkpoint.
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
    if (me == 0) then
!$cppc checkpoint
!      ~~~~~~~~~~ error[C0803] not all processes pass this checkpoint
      x = x + 1
    end if
    call mpi_barrier(mpi_comm_world, ierr)
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
end program
