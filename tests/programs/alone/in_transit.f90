! Each argument names one kind of communication, as in in_transit.c. It uses the three interfaces of MPI for Fortran.
!
! processes: 2
! rehearse: never (its state files are not complete)
module kinds
  implicit none
  character(len=32) :: kind
contains
  logical function is(name)
    character(len=*), intent(in) :: name
    is = kind == name
  end function is
end module kinds

subroutine in_mpif(rank, value, request)
  use kinds
  implicit none
  include 'mpif.h'
  integer :: rank, value, request, ierr
  if (is('mpif_send') .and. rank == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr)
  if (is('mpif_irecv') .and. rank == 1) call MPI_Irecv(value, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, request, ierr)
end subroutine in_mpif

subroutine in_f08(rank, value)
  use kinds
  use mpi_f08
  implicit none
  integer :: rank, value
  if (is('f08_send') .and. rank == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD)
end subroutine in_f08

program in_transit
  use kinds
  use mpi
  implicit none
  integer :: rank, i, value, got, total, request, status(MPI_STATUS_SIZE), ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
!$cppc init
  total = 0
!$cppc register(i, total)
  do i = 1, command_argument_count()
    call get_command_argument(i, kind)
    value = 10 * rank + i
    got = 0
    request = MPI_REQUEST_NULL
    call in_mpif(rank, value, request)
    call in_f08(rank, value)
    if (is('module_send') .and. rank == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr)
    if (is('reduction')) call MPI_Iallreduce(value, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    if (is('complete_exchange')) call MPI_Sendrecv(value, 1, MPI_INTEGER, 1 - rank, 1, got, 1, MPI_INTEGER, MPI_ANY_SOURCE, &
      MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
!$cppc checkpoint
    if (is('mpif_irecv') .and. rank == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr)
    call MPI_Wait(request, status, ierr)
    if ((is('mpif_send') .or. is('f08_send') .or. is('module_send')) .and. rank == 1) &
      call MPI_Recv(got, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, status, ierr)
    total = total + got
!$cppc checkpoint
    print *, rank, i, total
  end do
!$cppc shutdown
  call MPI_Finalize(ierr)
end program in_transit
