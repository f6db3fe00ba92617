! Data that the procedures on the way to the checkpoint cannot name: private variables of a module, a COMMON block, a variable
! with SAVE, one in a procedure with ENTRY (left out), and a threadprivate block (left out).
module hidden
  implicit none
  private
  integer :: count = 0
  real :: level = 1
  public :: step
contains
  subroutine step(x)
    real, intent(inout) :: x
    count = count + 1
    level = level * 1.5
    x = x + count * level
  end subroutine
end module

program main
  implicit none
  real, external :: smooth, both
  real :: x
  integer :: i
  x = 0
  do i = 1, 10
    !$cppc checkpoint
    call work(x)
    x = smooth(x) + both(x)
  end do
  print *, x
end program

subroutine work(x)
  use hidden, only: step
  real, intent(inout) :: x
  call step(x)
end subroutine

real function smooth(x)
  real, intent(in) :: x
  logical, save :: first = .true.
  real :: last(3), own
  common /keep/ last
  common /each/ own
  !$omp threadprivate(/each/)
  if (first) last = x
  first = .false.
  last(2) = 0.5 * (last(2) + x)
  own = own + last(2)
  smooth = last(1) + own
end function

real function both(x)
  real, intent(in) :: x
  integer, save :: calls = 0
  calls = calls + 1
  both = x
  return
  entry other(x)
  calls = calls + 2
  other = calls
end function
