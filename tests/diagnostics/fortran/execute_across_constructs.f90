! A block that begins in a construct and ends outside of it.
program across
  implicit none
  integer :: i
  i = 3
  !$cppc init
  if (i > 2) then
    !$cppc execute
    i = 1
  end if
  !$cppc end execute
!        ~~~~~~~~~~~ error[C0412] `execute` and `end execute` are in different constructs
  print *, i
end program across
