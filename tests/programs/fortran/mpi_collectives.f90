! Exercises: collective operations of the module mpi between checkpoints, allocatables whose sizes depend
! on the rank, and a function that reduces in an expression.
!
! processes: 4
! compilers: gfortran
program collectives
  use mpi
  implicit none
  integer :: rank, size, ierr, i, k
  real(8), allocatable :: mine(:), all(:)
  integer, allocatable :: counts(:), starts(:)
  real(8) :: norm
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  !$cppc init
  allocate (mine(rank + 2), counts(size), starts(size))
  counts = [(k + 1, k = 1, size)]
  starts = [(sum(counts(:k - 1)), k = 1, size)]
  allocate (all(sum(counts)))
  mine = [(rank + k * 0.5d0, k = 1, rank + 2)]
  all = 0; norm = 0
  !$cppc register(mine, all, counts, starts, norm, i)
  do i = 1, 5
    !$cppc checkpoint
    call MPI_Allgatherv(mine, rank + 2, MPI_DOUBLE_PRECISION, all, counts, starts, MPI_DOUBLE_PRECISION, &
      MPI_COMM_WORLD, ierr)
    norm = 0.5d0 * total_of(mine) + total_of(all(::2)) * 0.25d0
    mine = mine * 0.5d0 + norm
    mine(1) = mine(1) + all(mod(i * 3, sum(counts)) + 1)
    call MPI_Bcast(norm, 1, MPI_DOUBLE_PRECISION, mod(i, size), MPI_COMM_WORLD, ierr)
    print '(2i3, 2(1x, z16.16))', rank, i, norm, sum(mine)
  end do
  !$cppc shutdown
  call MPI_Finalize(ierr)
contains
  real(8) function total_of(x)
    real(8), intent(in) :: x(:)
    real(8) :: local
    local = sum(x)
    !$cppc register(local)
    !$cppc checkpoint
    call MPI_Allreduce(local, total_of, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end function total_of
end program collectives
