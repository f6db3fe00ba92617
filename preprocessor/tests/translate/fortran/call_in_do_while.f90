! A call in the condition of a loop comes into its body.
module steps

contains

  integer function step(i)
    integer, intent(in) :: i
    !$cppc checkpoint
    step = i + 1
  end function

  subroutine advance(n)
    integer, intent(inout) :: n
    !$cppc register(n)
    do while (step(n) < 9)
      n = n + 1
    end do
  end subroutine
end module
