! The program asks by OPEN with IOSTAT whether a file exists, and then creates it.
! reports: open
program existence_asked_by_open
  implicit none
  integer :: i, status
  !$cppc init
  !$cppc register(i)
  do i = 1, 10
    !$cppc checkpoint
    open (10, file='mark', status='old', iostat=status)
    if (status == 0) then
      print *, i
      close (10)
    else
      open (10, file='mark', status='replace')
      close (10)
    end if
  end do
  !$cppc shutdown
end program existence_asked_by_open
