! All processes open one file for reading and writing, read it, and close it. The OPEN statement has no ACTION, as in most
! programs. Nothing is written to the file. Each process also reads a file of the kernel in each step.
!
! processes: 2
! writes: files
! compilers: gfortran
program read_by_all
  use mpi
  implicit none
  integer :: rank, ierr, step, value, total
  character(len=80) :: line
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  ! An input file is older than the run.
  if (rank == 0) call execute_command_line("echo 7 > read_by_all.in; touch -d '1 hour ago' read_by_all.in")
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
!$cppc init
!$cppc execute file(10, 'read_by_all.in')
  open (10, file='read_by_all.in')
!$cppc end execute
  read (10, *) value
  close (10)
  total = rank
!$cppc register(value, total)
  do step = 1, 6
!$cppc checkpoint
    total = 3*total + value + step
    call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
!$cppc execute file(11, '/proc/self/status')
    open (11, file='/proc/self/status')
!$cppc end execute
    read (11, '(a)') line
    close (11)
    if (rank == 0 .and. index(line, 'Name') == 0) print '(a)', line
    if (rank == 0) print '(i0, 1x, i0)', step, total
  end do
!$cppc shutdown
  call MPI_Finalize(ierr)
end program read_by_all
