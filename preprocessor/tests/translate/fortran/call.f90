! A call of a procedure with a checkpoint: its argument is captured, because the restart repeats the call.
module steps

contains

  integer function step(i)
    integer, intent(in) :: i
    !$cppc checkpoint
    step = i + 1
  end function

  subroutine advance(n)
    integer, intent(in) :: n
    integer :: i, last
    do i = 1, n
      last = step(i)
    end do
  end subroutine
end module
