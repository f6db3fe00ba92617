! Assignments that allocate arrays: their values are arrays without an array of the program in them, or components of an array.
! reports: name, u, v, w, x, y
module parts
  implicit none
  type part
    integer :: k = 1
    character(4) :: name = 'abcd'
  end type
  integer, parameter :: table(2) = [3, 4]
  interface operator(.many.)
    procedure numbers
  end interface
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
  integer, allocatable :: x(:), y(:), w(:), u(:), v(:)
  character(2), allocatable :: name(:)
  integer :: i
  !$cppc init
  !$cppc register(p)
  do i = 1, 3
    p%k = i
    x = p%k
    y = table
    w = spread(i, 1, 2)
    u = -numbers(i)
    v = .many. i
    name = p%name(1:2)
    !$cppc checkpoint
    print *, i, x, y, w, u, v, name
  end do
  !$cppc shutdown
end program
