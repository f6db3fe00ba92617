! Allocatable components that another procedure allocates, a module variable, and a variable of a BLOCK.
module grids
  implicit none
  type grid
    integer :: n
    real(8), allocatable :: u(:)
  end type
  integer :: calls = 0
contains
  subroutine setup(g, n)
    type(grid), intent(inout) :: g
    integer, intent(in) :: n
    g%n = n
    allocate (g%u(n))
    g%u = 1
  end subroutine
  subroutine step(g)
    type(grid), intent(inout) :: g
    calls = calls + 1
    g%u = g%u * 0.5d0 + calls
  end subroutine
end module
program types
  use grids
  implicit none
  type(grid) :: g
  integer :: it
  real(8) :: total
  call setup(g, 20)
  total = 0
  do it = 1, 5
    block
      integer :: before
      before = calls
      !$cppc checkpoint
      call step(g)
      total = total + sum(g%u) * (calls - before)
    end block
  end do
  print *, total
end program
