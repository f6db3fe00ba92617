! Exercises: pointers to procedures as variables: of a module, local, in a list of a module, called on the way to a checkpoint, in a
! component that is registered by itself, and without a target.
!
! compilers: gfortran
module rules
  implicit none
  abstract interface
    real(8) function rule(x)
      real(8), intent(in) :: x
    end function rule
    subroutine action(x, step)
      real(8), intent(inout) :: x
      integer, intent(in) :: step
    end subroutine action
  end interface
  procedure(rule), pointer :: present_rule => null(), never => null()
  procedure(action), pointer, private :: step_action => null()
  type :: settings
    procedure(rule), pointer, nopass :: f => null()
    real(8) :: weight = 1
  end type settings
  type(settings) :: own
contains
  real(8) function half(x)
    real(8), intent(in) :: x
    half = 0.5d0 * x + 1
  end function half
  real(8) function square(x)
    real(8), intent(in) :: x
    square = 0.01d0 * x * x
  end function square
  subroutine add(x, step)
    real(8), intent(inout) :: x
    integer, intent(in) :: step
    !$cppc checkpoint
    x = x + step
  end subroutine add
  subroutine scale(x, step)
    real(8), intent(inout) :: x
    integer, intent(in) :: step
    !$cppc checkpoint
    x = x * (1 + 0.125d0 * step)
  end subroutine scale
  subroutine choose(step)
    integer, intent(in) :: step
    step_action => add
    if (mod(step, 2) == 0) step_action => scale
    present_rule => half
    if (step > 4) present_rule => square
  end subroutine choose
  subroutine save_rules()
    !$cppc register(module rules)
  end subroutine save_rules
  subroutine act(x, step)
    real(8), intent(inout) :: x
    integer, intent(in) :: step
    call step_action(x, step)
  end subroutine act
end module rules

program pointers_to_procedures
  use rules
  implicit none
  procedure(rule), pointer :: local
  real(8) :: x, y
  integer :: step
  !$cppc init
  x = 1
  local => square
  own%f => half
  call choose(1)
  call save_rules()
  !$cppc register(x, local)
  do step = 1, 8
    call act(x, step)
    x = x + local(x) + present_rule(x)
    y = own%f(x)
    own%weight = own%weight * 0.5d0 + y
    if (step == 3) local => half
    if (step == 6) own%f => square
    call choose(step + 1)
    print '(i3, 2es24.16, l2)', step, x, own%weight, associated(never)
  end do
  !$cppc shutdown
end program pointers_to_procedures
