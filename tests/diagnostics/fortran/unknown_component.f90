! A component that the type does not have.
program component
  implicit none
  type cell
    real :: value
  end type cell
  type(cell) :: c
  c%value = 1
  !$cppc init
  !$cppc register(c%valeu)
!                 ~~~~~~~ error[C0421] unknown component `valeu`
  !$cppc checkpoint
  print *, c%value
end program component
