! A directive has a line of its own.
program behind
  implicit none
  integer :: i
  i = 1   !$cppc init
!         ~~~~~~~~~~~ error[C0604] a directive after a statement
  !$cppc init
  i = 2   !$cppc checkpoint
!         ~~~~~~~~~~~~~~~~~ error[C0604] a directive after a statement
  print *, i
end program behind
