! A handle and a number next to each other in a COMMON block: a block creates the handle, and the number is registered.
program main
  integer :: steps, comm, i, ierr
  common /net/ steps, comm
  call mpi_init(ierr)
  call mpi_comm_dup(91, comm, ierr)
  steps = 0
  do i = 1, 5
    !$cppc checkpoint
    steps = steps + i
    call mpi_barrier(comm, ierr)
  end do
  print *, steps
  call mpi_finalize(ierr)
end program
