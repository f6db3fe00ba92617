! Assignments that allocate arrays: their values are arrays without an array of the program in them, or components of an array.
! reports: u, w, x, y
module parts
  implicit none
  type part
    integer :: k = 1
  end type
  integer, parameter :: table(2) = [3, 4]
contains
  function numbers(n) result(all)
    integer, intent(in) :: n
    integer :: all(n)
    all = n
  end function numbers
end module
program allocated_by_an_assignment
  use parts
  implicit none
  type(part) :: p(2)
  integer, allocatable :: x(:), y(:), w(:), u(:)
  integer :: i
  !$cppc init
  !$cppc register(p)
  do i = 1, 3
    p%k = i
    x = p%k
    y = table
    w = spread(i, 1, 2)
    u = -numbers(i)
    !$cppc checkpoint
    print *, i, x, y, w, u
  end do
  !$cppc shutdown
end program
