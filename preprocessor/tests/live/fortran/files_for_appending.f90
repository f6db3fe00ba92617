! Files that each step opens for appending, and closes again. A position that is not known counts as appending.
! reports: open
program files_for_appending
  implicit none
  character(len=*), parameter :: at_end = 'append'
  character(len=6) :: where_to
  integer :: i, unit
  where_to = 'asis'
  !$cppc init
  !$cppc register(i)
  do i = 1, 10
    !$cppc checkpoint
    open (10, file='log.txt', position='APPEND')
    write (10, *) i
    close (10)
    open (newunit=unit, file='new.txt', position=at_end)
    write (unit, *) i
    close (unit)
    open (11, file='old.txt', access='append')
    write (11, *) i
    close (11)
    open (12, file='any.txt', position=where_to)
    write (12, *) i
    close (12)
  end do
  !$cppc shutdown
end program files_for_appending
