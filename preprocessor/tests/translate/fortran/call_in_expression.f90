! Calls in an expression, in the order in which the program evaluates them.
module steps

contains

  integer function step(i)
    integer, intent(in) :: i
    !$cppc checkpoint
    step = i + 1
  end function

  integer function advance(n)
    integer, intent(in) :: n
    advance = n * step(n) + step(n + 1)
  end function
end module
