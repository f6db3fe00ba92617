! Exercises: modes of arithmetic with reals that the program sets after `init`: rounding, and flushing of subnormal
! numbers where the processor can do it.
program main
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer :: step
  real(8) :: x, small
  real(4) :: y
  x = 0
  y = 0
  small = 0
  !$cppc init
  !$cppc register(step, x, y, small)
  call ieee_set_rounding_mode(ieee_up)
  if (ieee_support_underflow_control(x)) call ieee_set_underflow_mode(.false.)
  do step = 1, 6
    call add()
    !$cppc checkpoint
    call add()
    print '(i3, 1x, z16.16, 1x, z8.8, 1x, z16.16)', step, x, y, small
  end do
  !$cppc shutdown
contains
  subroutine add()
    integer :: k
    do k = 1, 10
      x = x + 1 / real(step + k * 3, 8)
      y = y + 1 / real(step + k * 7, 4)
      small = small + tiny(small) / (step + k)
    end do
  end subroutine add
end program main
