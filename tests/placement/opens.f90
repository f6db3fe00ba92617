! processes: 2
! passes: C0808
! A program that opens a file and creates a communicator, and has no loop for a checkpoint: nothing is added, and it is
! built as it is.
program opens
  use mpi
  implicit none
  integer :: ierr, rank, pair
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, rank/2, rank, pair, ierr)
  if (rank == 0) then
    open (17, file='opens.txt')
    write (17, *) rank
    close (17, status='delete')
    print *, 'no loop'
  end if
  call MPI_Comm_free(pair, ierr)
  call MPI_Finalize(ierr)
end program opens
