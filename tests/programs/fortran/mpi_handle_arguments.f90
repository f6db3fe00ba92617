! Exercises: handles that are INTEGER variables, as arguments of calls on the way to a checkpoint: of a module, in components and
! elements, as results of functions, in a COMMON block that is registered. In a restart, the handles have other numbers,
! because the communicators that were freed still exist.
!
! processes: 2
module communicators
  implicit none
  type grid
    integer :: comm, n
  end type
  integer :: own
contains
  subroutine split(new)
    include 'mpif.h'
    integer, intent(out) :: new
    integer :: rank, ierr
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, new, ierr)
  end subroutine split

  integer function comm_of(one)
    type(grid), intent(in) :: one
    comm_of = one%comm
  end function comm_of
end module communicators

program handle_arguments
  use communicators
  implicit none
  include 'mpif.h'
  integer :: early(3), world, late, second, rank, ierr, i, sums
  type(grid) :: grids(2), alone
  common /shared/ late, second
  call MPI_Init(ierr)
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, rank, ierr)
!$cppc init
  do i = 1, 3
!$cppc execute capture(i)
    call MPI_Comm_dup(MPI_COMM_WORLD, early(i), ierr)
!$cppc end execute
    call MPI_Barrier(early(i), ierr)
    call MPI_Comm_free(early(i), ierr)
  end do
!$cppc execute
  call split(own)
  call split(alone%comm)
  call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, grids(1)%comm, ierr)
  grids(2)%comm = own
!$cppc end execute
!$cppc execute
  call MPI_Comm_dup(own, late, ierr)
!$cppc end execute
  sums = 0
  second = 7
  alone%n = 1
  grids(1)%n = 1
  grids(2)%n = 2
  i = 2
!$cppc register(sums, i, alone, grids(:)%n, /shared/, module communicators)
  call add(own, 'module')
  call add(grids(i)%comm, 'element')
  call add(comm_of(grids(1)), 'function')
  call add(alone%comm, 'component')
  call add(late, 'common')
  call add(world, 'world')
!$cppc shutdown
  call MPI_Finalize(ierr)
contains
  subroutine add(comm, name)
    integer, intent(in) :: comm
    character(len=*), intent(in) :: name
    integer :: step, part
!$cppc register(step)
    do step = 1, 3
!$cppc checkpoint
      call MPI_Allreduce(step, part, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
      sums = sums + part*second + alone%n + grids(2)%n
    end do
    print '(a, 2i7)', name, rank, sums
  end subroutine add
end program handle_arguments
