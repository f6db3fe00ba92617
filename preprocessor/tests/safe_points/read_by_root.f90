! verdict: safe
! mutation: call mpi_bcast(every, 1, mpi_integer, 0, mpi_comm_world, ierr) =>  => unknown
program trial
  use mpi
  implicit none
  integer :: me, np, ierr, i, n, st(mpi_status_size), every
  double precision :: x, y, total
  x = 1; y = 0; n = 10
  call mpi_init(ierr)
!$cppc init
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  if (me == 0) read (*, *) n, every
  call mpi_bcast(n, 1, mpi_integer, 0, mpi_comm_world, ierr)
  call mpi_bcast(every, 1, mpi_integer, 0, mpi_comm_world, ierr)
  !$cppc register(n, x, y, total)
  do i = 1, n
    call mpi_sendrecv(x, 1, mpi_double_precision, mod(me + 1, np), 3, y, 1, mpi_double_precision, &
      mod(me - 1 + np, np), 3, mpi_comm_world, st, ierr)
    if (mod(i, every) == 0) then
    call mpi_sendrecv(x, 1, mpi_double_precision, mod(me + 1, np), 3, y, 1, mpi_double_precision, &
      mod(me - 1 + np, np), 3, mpi_comm_world, st, ierr)
    end if
!$cppc checkpoint
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
end program
