! Exercises: procedure pointers that point to a procedure from the start, as variables of a module and as components. What they
! point to leads to a checkpoint.
module steps
  implicit none
  procedure(one_step), pointer :: chosen => one_step
  type walker
    integer :: at = 0
    procedure(one_step), pointer, nopass :: go => two_steps
  end type walker
contains
  subroutine one_step(x, by)
    real(8), intent(inout) :: x
    integer, intent(in) :: by
    x = x + by
    !$cppc checkpoint
    x = x * 1.5d0
  end subroutine one_step
  subroutine two_steps(x, by)
    real(8), intent(inout) :: x
    integer, intent(in) :: by
    call chosen(x, by)
    !$cppc checkpoint
    x = x - 2 * by
  end subroutine two_steps
end module steps
program call_first_targets
  use steps
  implicit none
  type(walker) :: ant
  real(8) :: x
  integer :: i
  x = 1
  !$cppc init
  !$cppc register(x, i)
  do i = 1, 5
    call chosen(x, i)
    call ant%go(x, i + 1)
    print '(i2, 1x, z16.16)', i, x
  end do
  !$cppc shutdown
end program call_first_targets
