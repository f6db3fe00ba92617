! Exercises: allocatable arrays that only assignments allocate: of functions, constants, components of an array, and
! parts of complex numbers; COMMON and EQUIVALENCE with the variables of loops.
module shapes
  implicit none
  type cell
    integer :: number = 1
    complex :: wave = (0.0, 1.0)
  end type
  integer, parameter :: table(3) = [5, 6, 7]
contains
  function steps(n) result(all)
    integer, intent(in) :: n
    integer :: all(n)
    integer :: k
    all = [(k * n, k = 1, n)]
  end function
end module
program allocated_by_assignments
  use shapes
  implicit none
  type(cell) :: cells(2)
  integer, allocatable :: numbers(:), fixed(:), sums(:), spreads(:)
  real, allocatable :: waves(:)
  integer :: i, j, left, m(4)
  common /counts/ i, left
  equivalence (j, m(1))
!$cppc init
  left = 9
  m = 3
!$cppc register(cells, numbers, fixed, sums, spreads, waves, left, m)
  do i = 1, 5
    left = left - 1
    cells%number = cells%number + i
    cells%wave = cells%wave * (0.0, 2.0)
    numbers = cells%number
    fixed = table
    sums = -steps(i)
    spreads = spread(i, 1, 2)
    waves = cells%wave%re
!$cppc checkpoint
    print *, i, left, numbers, fixed, sums, spreads, waves
  end do
  do j = 1, 3
    m(2:) = m(2:) + j
!$cppc checkpoint
    print *, j, m(2:)
  end do
!$cppc shutdown
end program
