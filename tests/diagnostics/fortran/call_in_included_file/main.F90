! A call that must be rewritten stands in a file that the preprocessor includes.
program incl
  implicit none
  !$cppc init
#include "calls.inc"
contains
  subroutine step()
    !$cppc checkpoint
  end subroutine step
end program incl
