! Blocks do not nest, and hold no other directive.
program nested
  implicit none
  integer :: i
  !$cppc init
  !$cppc execute
  i = 1
  !$cppc execute
!        ~~~~~~~ error[C0413] an `execute` block within another
  i = 2
  !$cppc end execute
  !$cppc checkpoint
  !$cppc register(i)
  !$cppc end execute
!        ~~~~~~~~~~~ error[C0410] `end execute` without `execute`
  print *, i
end program nested
