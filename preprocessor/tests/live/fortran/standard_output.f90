! PRINT and WRITE (*, …) use unit 6. What an OPEN has changed about it is lost in a restart.
! reports: unit 6
program standard_output
  implicit none
  integer :: i
  !$cppc init
  open (6, decimal='comma')
  !$cppc register(i)
  do i = 1, 6
    !$cppc checkpoint
    print *, i * 0.5
  end do
  !$cppc shutdown
end program standard_output
