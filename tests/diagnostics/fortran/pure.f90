! A pure procedure may not have a checkpoint, nor call what has one; an elemental one neither.
program purely
  implicit none
  real :: x(3)
  x = 1
  !$cppc init
  call scale(x(1))
  call each(x)
  print *, x
contains
  pure subroutine scale(y)
! ~~~~ error[C0516] `pure.f90:purely%scale` leads to a checkpoint, and cannot be pure
    real, intent(inout) :: y
    !$cppc checkpoint
    y = y * 2
  end subroutine scale
  elemental subroutine each(y)
! ~~~~~~~~~ error[C0516] `pure.f90:purely%each` leads to a checkpoint, and cannot be pure
    real, intent(inout) :: y
    !$cppc checkpoint
    y = y * 2
  end subroutine each
end program purely
