! Handles that a restart may take from the lost run.
program handles
  implicit none
  include 'mpif.h'
!         ~~~~~~~~ warning[C0601] the file `mpif.h` is not found
  type grid
    integer :: comm, n
  end type
  type(grid) :: grids(2)
  integer :: own, copy, constant, ierr
  call MPI_Init(ierr)
!$cppc init
!$cppc execute
  call MPI_Comm_dup(MPI_COMM_WORLD, own, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, grids(1)%comm, ierr)
!$cppc end execute
  copy = own
  constant = MPI_COMM_SELF
!$cppc register(grids, own, copy, constant)
!               ~~~~~ warning[C0433] the component `comm` of `grids` is a handle of a library
!                           ~~~~ warning[C0433] `copy` is a handle of a library, and a restart uses its value of the lost run
  call work(own)
  call work(copy)
!           ~~~~ warning[C0433] this argument is a handle of a library, and a restart passes its value of the lost run
  call work(constant)
!$cppc shutdown
  call MPI_Finalize(ierr)
contains
  subroutine work(comm)
    integer, intent(in) :: comm
    call MPI_Barrier(comm, ierr)
!$cppc checkpoint
    call MPI_Barrier(comm, ierr)
    call MPI_Barrier(grids(1)%comm, ierr)
  end subroutine work
end program handles
