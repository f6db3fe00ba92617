! Exercises: work and registers that differ from rank to rank, branches by rank, some empty, with
! the handles of module mpi_f08, which are derived types.
!
! processes: 4
! compilers: gfortran
program uneven
  use mpi_f08
  implicit none
  integer :: rank, size, i, k, extras
  type(MPI_Comm) :: half
  real(8), allocatable :: cells(:), extra(:)
  real(8) :: local, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  !$cppc init
  !$cppc execute
  call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, half)
  !$cppc end execute
  allocate (cells(0:4 + rank * rank * 3))
  cells = [(rank + k * 0.5d0, k = 0, 4 + rank * rank * 3)]
  total = 0; extras = 0
  !$cppc register(total, extras, cells)
  if (rank >= 2) then
    allocate (extra(rank - 2))
    extra = rank
    !$cppc register(extra)
  end if
  do i = 1, 5
    if (rank == mod(i, size) .and. allocated(extra)) then
      extras = extras + i
      deallocate (extra)
      allocate (extra(extras))
      extra = i * 0.25d0
    end if
    !$cppc checkpoint
    cells = cells * 0.5d0 + i
    local = sum(cells)
    if (allocated(extra)) local = local + sum(extra)
    call MPI_Allreduce(local, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, half)
    cells(mod(i, 5)) = cells(mod(i, 5)) + total
    print '(3i4, 2(1x, z16.16))', rank, i, extras, local, total
  end do
  !$cppc shutdown
  call MPI_Finalize()
end program uneven
