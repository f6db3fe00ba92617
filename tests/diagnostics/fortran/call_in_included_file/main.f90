! A call that must be rewritten stands in an included file.
program incl
  implicit none
  !$cppc init
  include 'calls.inc'
contains
  subroutine step()
    !$cppc checkpoint
  end subroutine step
end program incl
