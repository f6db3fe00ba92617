! The variable of a loop cannot be saved where its name means another variable.
program hidden
  implicit none
  integer :: i
  !$cppc init
  do i = 1, 4
    block
      integer :: i
      i = 3
      !$cppc checkpoint
!     ~~~~~~~~~~~~~~~~~ error[C0517] `i`, the variable of an enclosing loop, is hidden by another variable here
      print *, i
    end block
  end do
end program hidden
