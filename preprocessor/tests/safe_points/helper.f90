! verdict: safe
! mutation: call mpi_wait(r, status, ierr) =>  => unsafe
! mutation: to, 2, mpi => from, 2, mpi => not safe
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
    call exchange(x, y, mod(me + 1, np), mod(me + np - 1, np))
!$cppc checkpoint
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
contains
  subroutine exchange(out, in, to, from)
    double precision :: out, in
    integer :: to, from, r, status(mpi_status_size)
    call mpi_irecv(in, 1, mpi_double_precision, from, 2, mpi_comm_world, r, ierr)
    call mpi_send(out, 1, mpi_double_precision, to, 2, mpi_comm_world, ierr)
    call mpi_wait(r, status, ierr)
  end subroutine
end program
