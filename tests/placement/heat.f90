! passes: 10
! processes: 4
! A loop until the result is good enough.
module field
  implicit none
  integer, parameter :: n = 40
  double precision :: u(n, 0:n + 1), v(n, 0:n + 1)
  integer :: me, np, left, right
contains
  subroutine start
    use mpi
    integer :: ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    left = mpi_proc_null
    right = mpi_proc_null
    if (me > 0) left = me - 1
    if (me < np - 1) right = me + 1
    u = me
  end subroutine

  subroutine exchange
    use mpi
    integer :: ierr
    call mpi_sendrecv(u(1, 1), n, mpi_double_precision, left, 1, &
      u(1, n + 1), n, mpi_double_precision, right, 1, mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_sendrecv(u(1, n), n, mpi_double_precision, right, 2, &
      u(1, 0), n, mpi_double_precision, left, 2, mpi_comm_world, mpi_status_ignore, ierr)
  end subroutine

  subroutine relax(change)
    double precision, intent(out) :: change
    integer :: i, j
    do j = 1, n
      do i = 2, n - 1
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    change = 0
    do j = 1, n
      do i = 2, n - 1
        change = max(change, abs(v(i, j) - u(i, j)))
        u(i, j) = v(i, j)
      end do
    end do
  end subroutine
end module

program heat
  use mpi
  use field
  implicit none
  integer :: ierr, step
  double precision :: change, most
  call mpi_init(ierr)
  call start
  most = 1
  step = 0
  do while (most > 0 .and. step < 10)
    call exchange
    call relax(change)
    call mpi_allreduce(change, most, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
    step = step + 1
    print *, me, step, change, most
    flush (6)
  end do
  call mpi_finalize(ierr)
end program
