module steps
  use mpi
  implicit none
contains
  subroutine exchange(x, y, me, size)
    integer, intent(in) :: me, size
    double precision :: x, y
    integer :: request, ierr, status(mpi_status_size)
    call mpi_irecv(y, 1, mpi_double_precision, mod(me + 1, size), 5, mpi_comm_world, request, ierr)
    call mpi_send(x, 1, mpi_double_precision, mod(me + size - 1, size), 5, mpi_comm_world, ierr)
    call mpi_wait(request, status, ierr)
  end subroutine

  subroutine run(me, size, x)
    integer, intent(in) :: me, size
    double precision :: x, y
    integer :: step
!$cppc register(x, y)
!$cppc checkpoint loop
!$cppc allow(C0701)
    steps: do step = 1, 10
      call exchange(x, y, me, size)
      if (step > 100) exit steps
      x = x + y
    end do steps
  end subroutine
end module

program trial
  use mpi
  use steps
  implicit none
  integer :: me, size, ierr
  double precision :: x
  call mpi_init(ierr)
!$cppc init
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  x = me
  call run(me, size, x)
  print *, x
!$cppc shutdown
  call mpi_finalize(ierr)
end program
