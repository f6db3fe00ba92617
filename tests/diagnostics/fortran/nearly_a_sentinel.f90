! A blank or a slip makes a comment of it.
program nearly
  implicit none
  !$cppc init
  ! $cppc checkpoint
! ~~~~~~~~~~~~~~~~~~ warning[C0606] this comment is not a directive
  !$ cppc checkpoint
! ~~~~~~~~~~~~~~~~~~ warning[C0606] this comment is not a directive
  !$cpcc checkpoint
! ~~~~~~~~~~~~~~~~~ warning[C0606] this comment is not a directive
  !$acc init
  !$cppc shutdown
end program nearly
