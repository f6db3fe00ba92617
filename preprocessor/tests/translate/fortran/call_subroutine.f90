! A variable of the caller is passed again in the restart.
module steps
contains
  subroutine step(n)
    integer, intent(inout) :: n
    !$cppc checkpoint
    n = n + 1
  end subroutine

  subroutine advance(n)
    integer, intent(inout) :: n
    !$cppc register(n)
    call step(n)
  end subroutine
end module
