! STOP without a number ends the program well. Nothing can be added to the action of an IF statement.
program ends
  implicit none
  integer :: i
  real :: x
  x = 1
  do i = 1, 10
    !$cppc checkpoint
    x = x * 1.5 + i
    if (x > 1e6) then
      stop 'large'
    else if (x < 0) then
      stop 1
    else if (x == 0.25) then
      error stop
    end if
  end do
  stop
end program ends
