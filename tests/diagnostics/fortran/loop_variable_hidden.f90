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
!     ~~~~~~~~~~~~~~~~~ error[C0517] the variable of the loop around it, `i`, is hidden here by another one
      print *, i
    end block
  end do
end program hidden
