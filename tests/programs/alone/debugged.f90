! Exercises: lines in debuggers.
program debugged
  implicit none
  integer :: step, n
  !$cppc init
  !$cppc register(step, n)
  n = 4
  do step = 1, 5
    call advance(n, step)
    print *, step, n ! after the call
  end do
  !$cppc shutdown
contains
  subroutine advance(n, step)
    integer, intent(inout) :: n
    integer, intent(in) :: step
    n = n + step
    !$cppc checkpoint
    n = n * 2 ! stops here
  end subroutine advance
end program debugged
