! A library keeps the address of the buffer for some time. That adds no pointer to these reals.
! reports: nothing
module exchange
  implicit none
  type grid_type
    integer :: n
    real(8), allocatable :: u(:), sent(:)
  end type grid_type
  type(grid_type) :: grid
  integer, parameter :: world = 0, real8 = 17
contains
  subroutine make()
    grid%n = 10
    allocate (grid%u(grid%n), grid%sent(grid%n))
    grid%u = 1
    grid%sent = 2
  end subroutine make

  subroutine send(u, sent)
    real(8) :: u(:), sent(:)
    integer :: request, status(6), ierr, i
    call mpi_isend(sent, grid%n, real8, 0, 1, world, request, ierr)
    call mpi_wait(request, status, ierr)
    do i = 2, grid%n, 2
      sent(i) = u(i)
    end do
  end subroutine send
end module exchange

program buffers
  use exchange
  implicit none
  integer :: i, ierr
  call mpi_init(ierr)
!$cppc init
  call make
!$cppc register(grid%n, grid%u, grid%sent)
  do i = 1, 4
!$cppc checkpoint
    call send(grid%u, grid%sent)
  end do
  print *, grid%u, grid%sent
!$cppc shutdown
  call mpi_finalize(ierr)
end program buffers
