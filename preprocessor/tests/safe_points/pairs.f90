! verdict: safe
! mutation: me - 1, 1, mpi => me - 1, 2, mpi => unsafe
! mutation: mod(me, 2) == 1) then => mod(me, 2) == 1 .and. y > 0) then => unsafe
! mutation: me + 1, 1, mpi => me - 1, 1, mpi => not safe
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
    if (mod(me, 2) == 0 .and. me < np - 1) then
      call mpi_send(x, 1, mpi_double_precision, me + 1, 1, mpi_comm_world, ierr)
    else if (mod(me, 2) == 1) then
      call mpi_recv(y, 1, mpi_double_precision, me - 1, 1, mpi_comm_world, st, ierr)
    end if
!$cppc checkpoint
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
end program
