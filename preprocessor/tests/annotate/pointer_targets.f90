! The targets of pointers are registered too: tables that nothing changes, and a target of a dummy argument. A pointer without
! a value before the loop is registered in the loop.
module tables
  real, target :: linear(4) = [1., 2., 3., 4.], cubic(4) = [1., 8., 27., 64.], scale = 0.5
contains
  subroutine advance(field, part, factor)
    real, target :: field(:)
    real, pointer :: part(:), factor
    part => field(2:)
    factor => scale
!$cppc checkpoint
    part = part * factor
  end subroutine
end module
program p
  use tables
  real, target :: field(5) = 1
  real, pointer :: part(:) => null(), factor => null(), table(:) => null(), row(:)
  if (command_argument_count() > 0) then
    table => linear
  else
    table => cubic
  end if
  call advance(field, part, factor)
  do i = 1, 3
    row => field(i:i + 1)
!$cppc checkpoint
    row = row + table(i)
  end do
  print *, field
end program
