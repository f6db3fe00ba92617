! A procedure that works on a copy of a part, and saves state while it does.
program gaps
  implicit none
  type particle
    real :: x, y
  end type particle
  integer, parameter :: n = 4
  integer :: i, rows(2) = [1, 3]
  real :: a(n, n), b(12)
  type(particle) :: p(3)
  !$cppc init
  !$cppc register(a, b, p)
  do i = 1, 3
    call relax(b(1:12:3), 4)
!              ~~~~~~~~~ warning[C0457] `relax` gets a copy of this argument, but the original is registered
    call relax(a(2, :), 4)
!              ~~~~~~~ warning[C0457] `relax` gets a copy of this argument, but the original is registered
    call relax(a(1:2, 1:4), 8)
!              ~~~~~~~~~~~ warning[C0457] `relax` gets a copy of this argument, but the original is registered
    call relax(a(rows, 1), 2)
!              ~~~~~~~~~~ warning[C0457] `relax` gets a copy of this argument, but the original is registered
    call relax(p%y, 3)
!              ~~~ warning[C0457] `relax` gets a copy of this argument, but the original is registered
    call relax(a(1:n, 2:3), 8)
    call relax(a(:, 2), 4)
    call relax(a(2, 2), 4)
    call relax(b(3:9), 7)
    call keeps(b(1:12:3), 4)
    call views(b(1:12:3))
    call reads(b(1:12:3), 4)
  end do
  !$cppc shutdown
contains
  subroutine relax(u, m)
    integer, intent(in) :: m
    real :: u(m)
    u = u + 1
    !$cppc checkpoint
  end subroutine relax
  subroutine keeps(u, m)
    integer, intent(in) :: m
    real :: u(m)
    !$cppc register(u)
    u = u + 1
    !$cppc checkpoint
  end subroutine keeps
  subroutine views(u)
    real :: u(:)
    u = u + 1
    !$cppc checkpoint
  end subroutine views
  subroutine reads(u, m)
    integer, intent(in) :: m
    real, intent(in) :: u(m)
    !$cppc checkpoint
    print *, u(m)
  end subroutine reads
end program gaps
