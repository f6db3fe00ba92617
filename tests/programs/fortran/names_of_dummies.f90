! A dummy argument has the name of a registered variable of the main program, but receives another variable. A checkpoint in
! the procedure saves both, each with its own content.

module work_of_names
  implicit none
  type tile
    real(8), allocatable :: u(:)
    integer :: n = 0
  end type tile
contains
  subroutine work(a, tiles, step)
    real(8), allocatable, intent(inout) :: a(:)
    type(tile), intent(inout) :: tiles(:)
    integer, intent(in) :: step
    a = a + step
    tiles(1)%u = tiles(1)%u + step
!$cppc checkpoint
    a = a * 2
    tiles(1)%u = tiles(1)%u * 2
    tiles(2)%n = tiles(2)%n + step
  end subroutine work
end module work_of_names

program names_of_dummies
  use work_of_names
  implicit none
  real(8), allocatable :: a(:), b(:)
  type(tile) :: tiles(3), others(3)
  integer :: step
  allocate (a(2), b(3))
  a = 1
  b = 2
  tiles(1)%u = [1, 2]
  others(1)%u = [1, 2, 3]
!$cppc init
!$cppc register(a, b, tiles, others)
  do step = 1, 5
!$cppc checkpoint
    a = a + 1
    tiles(1)%u = tiles(1)%u + 1
    call work(b, others, step)
    print '(i3,5f9.1)', step, a, b
    print '(5f9.1,6i4)', tiles(1)%u, others(1)%u, tiles%n, others%n
  end do
!$cppc shutdown
end program names_of_dummies
