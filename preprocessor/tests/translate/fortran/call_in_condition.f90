! A call in the condition of a branch comes before the branch.
module steps

contains

  integer function step(i)
    integer, intent(in) :: i
    !$cppc checkpoint
    step = i + 1
  end function

  integer function advance(n)
    integer, intent(in) :: n
    advance = n
    if (step(n) > 3) advance = 0
  end function
end module
