! Exercises: contained procedures that change variables of their host, have ones of the same name, and
! are contained in procedures of a module and in external ones.
module solver
  implicit none
  real(8), private :: tolerance = 4
contains
  subroutine solve(u, sweeps)
    real(8), intent(inout) :: u(:)
    integer, intent(out) :: sweeps
    real(8) :: change
    integer :: k
    sweeps = 0
    change = 100
    !$cppc register(tolerance, sweeps, change)
    do while (change > tolerance)
      call sweep()
      sweeps = sweeps + 1
      if (sweeps == 3) tolerance = tolerance + 1
    end do
  contains
    subroutine sweep()
      integer :: k
      real(8) :: old(size(u))
      old = u
      change = 0
      !$cppc register(old, k)
      do k = 2, size(u) - 1
        u(k) = 0.25d0 * (old(k - 1) + old(k + 1)) + 0.5d0 * old(k)
        !$cppc checkpoint
        change = change + abs(u(k) - old(k))
      end do
    end subroutine sweep
  end subroutine solve
end module solver

program contained
  use solver
  implicit none
  real(8) :: u(5)
  integer :: i, n
  u = [64, 0, 0, 0, 32]
  !$cppc init
  !$cppc register(u, i, n)
  do i = 1, 3
    call solve(u, n)
    u(1) = u(1) + i
    call external_one(u(5), i)
    print '(2i4, 5(1x, z16.16))', i, n, u
  end do
  !$cppc shutdown
end program contained

subroutine external_one(x, i)
  implicit none
  real(8), intent(inout) :: x
  integer, intent(in) :: i
  integer :: count
  count = i
  !$cppc register(count)
  call add()
  x = x + twice(count)
contains
  subroutine add()
    count = count + 1
    !$cppc checkpoint
    count = count * 2
  end subroutine add
  integer function twice(i)
    integer, intent(in) :: i
    !$cppc checkpoint
    twice = 2 * i + count
  end function twice
end subroutine external_one
