! verdict: safe
! mutation: call mpi_allreduce(x, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr) =>  => unknown
! mutation: k = 1, np - 1 => k = 2, np - 1 => not safe
program trial
  use mpi
  implicit none
  integer :: me, np, ierr, i, n, st(mpi_status_size), k
  double precision :: x, y, total
  x = 1; y = 0; n = 10
  call mpi_init(ierr)
!$cppc init
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  !$cppc register(n, x, y, total)
  do i = 1, n
    if (me == 0) then
      do k = 1, np - 1
        call mpi_recv(y, 1, mpi_double_precision, mpi_any_source, 1, mpi_comm_world, st, ierr)
      end do
    else
      call mpi_send(x, 1, mpi_double_precision, 0, 1, mpi_comm_world, ierr)
    end if
    call mpi_allreduce(x, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
!$cppc checkpoint
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
end program
