! A block that does not end in its procedure.
program endless
  implicit none
  integer :: i
  !$cppc init
  !$cppc execute
!        ~~~~~~~ error[C0411] `execute` without `end execute`
  i = 1
  print *, i
end program endless
