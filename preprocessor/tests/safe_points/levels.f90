! verdict: safe
! mutation: modulo(me - level, np) => modulo(me - level + 1, np) => not safe
! mutation: if (active(level)) then => if (active(level) .and. me > 0) then => not safe
! mutation: call mpi_wait(open(level), st, ierr) => continue => not safe
! A table by levels, which loops of arguments fill, and subscripts that are arguments of procedures.
program trial
  use mpi
  implicit none
  integer, parameter :: most = 8
  integer :: me, np, ierr, i, n, k
  integer :: next(most), before(most), open(most)
  logical :: active(most)
  double precision :: x, y(200, 200)
  common /levels/ next, before, open, active
  x = 1; y = 0; n = 10
  call mpi_init(ierr)
!$cppc init
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  k = most
  call setup(k)
  !$cppc register(n, x, y, next, before, active)
  do i = 1, n
    call cycle(k)
!$cppc checkpoint
  end do
!$cppc shutdown
  call mpi_finalize(ierr)
contains
  subroutine setup(level)
    integer, intent(inout) :: level
    do level = most, 1, -1
      active(level) = .true.
      if (level == 2) active(level) = .false.
      next(level) = modulo(me + level, np)
      before(level) = modulo(me - level, np)
    end do
    level = most
  end subroutine
  subroutine cycle(level)
    integer, intent(inout) :: level
    do level = most, 1, -1
      call descend(level)
    end do
    level = most
  end subroutine
  subroutine descend(level)
    integer :: level, below
    below = level
    call exchange(below)
  end subroutine
  subroutine exchange(level)
    integer :: level, count, i1, i2, st(mpi_status_size)
    count = 0
    do i2 = 1, 200
      do i1 = 1, 200
        count = count + 1
        y(i1, i2) = y(i1, i2) + x
      end do
    end do
    if (active(level)) then
      call mpi_irecv(x, 1, mpi_double_precision, before(level), level, mpi_comm_world, open(level), ierr)
      call mpi_send(y, min(count, 1), mpi_double_precision, next(level), level, mpi_comm_world, ierr)
      call mpi_wait(open(level), st, ierr)
    end if
    call rename(level)
  end subroutine
  subroutine rename(level)
    integer :: level
    if (level < 0) level = 0
  end subroutine
end program
