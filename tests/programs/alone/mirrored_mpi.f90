! Exercises: a mirror for each of several processes of Fortran, which gets time to be copied between two checkpoints.
!
! processes: 4
program mirrored
  use mpi
  use iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function usleep(microseconds) bind(c, name='usleep')
      import :: c_int
      integer(c_int), value :: microseconds
    end function usleep
  end interface
  integer, parameter :: cells_per_process = 20000
  double precision, allocatable :: cells(:)
  double precision :: local, total
  integer :: rank, i, ierr, ignored

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
!$cppc init
  allocate(cells(cells_per_process))
  cells = rank + 0.5d0
  total = 0
!$cppc register(i, total, cells)
  do i = 1, 20
!$cppc checkpoint
    ignored = usleep(25000_c_int)
    cells(i:i + 99) = cells(i:i + 99) * 0.9d0
    local = sum(cells)
    call MPI_Allreduce(MPI_IN_PLACE, local, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    total = total + local
    print '(a, i0, a, i0, a, es23.16)', 'rank ', rank, ' step ', i, ': ', total
  end do
  deallocate(cells)
!$cppc shutdown
  call MPI_Finalize(ierr)
end program mirrored
