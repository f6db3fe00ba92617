! A request of a nonblocking call is complete at each checkpoint: it gets no block. A persistent request gets one.
program main
  integer, parameter :: comm = 0, type = 7
  integer :: persistent, request, i, ierr
  real :: sent(4), received(4)
  call mpi_init(ierr)
  call mpi_send_init(sent, 4, type, 1, 5, comm, persistent, ierr)
  do i = 1, 5
    !$cppc checkpoint
    call mpi_irecv(received, 4, type, 1, 5, comm, request, ierr)
    sent = i
    call mpi_start(persistent, ierr)
    call mpi_wait(persistent, 0, ierr)
    call mpi_wait(request, 0, ierr)
  end do
  call mpi_finalize(ierr)
end program
