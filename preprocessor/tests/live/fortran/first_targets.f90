! Pointers point to something from the start: variables and components, to procedures and to data.
! reports: deep, far, x, y
module steps
  implicit none
  real, target :: far = 1, deep = 2
  real, pointer :: view => far
  procedure(one), pointer :: chosen => one
  type holder
    real, pointer :: inner => deep
    procedure(two), pointer, nopass :: go => two
  end type holder
contains
  subroutine one(x)
    real, intent(inout) :: x
    !$cppc checkpoint
    x = x * 1.5
  end subroutine one
  subroutine two(x)
    real, intent(inout) :: x
    !$cppc checkpoint
    x = x - 2
  end subroutine two
end module steps
program first_targets
  use steps
  implicit none
  type(holder) :: here
  integer :: i
  real :: x, y
  !$cppc init
  x = 1; y = 2
  view = 3
  here%inner = 4
  !$cppc register(i)
  do i = 1, 5
    call chosen(x)
    call here%go(y)
    x = x + view + here%inner
  end do
  !$cppc shutdown
  print *, x, y
end program first_targets
