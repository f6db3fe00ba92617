! A file that must exist, and that the program then deletes without a READ.
! reports: open
program needed_files_deleted
  implicit none
  integer :: i
  !$cppc init
  !$cppc register(i)
  do i = 1, 10
    !$cppc checkpoint
    if (i == 5) then
      open (11, file='ticket', status='old')
      close (11, status='delete')
    end if
  end do
  print *, i
  !$cppc shutdown
end program needed_files_deleted
