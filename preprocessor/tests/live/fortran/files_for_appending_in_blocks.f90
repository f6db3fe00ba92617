! Files for appending in blocks with `file`, and before the first checkpoint; files that each step writes anew, or only reads.
! reports: nothing
program files_for_appending_in_blocks
  implicit none
  character(len=*), parameter :: start = 'rewind'
  integer :: i
  !$cppc init
  open (9, file='first.txt', position='append')
  write (9, *) 'first'
  close (9)
  !$cppc register(i)
  !$cppc execute on restart
  open (9, file='restarts.txt', position='append')
  write (9, *) 'restart'
  close (9)
  !$cppc end execute
  do i = 1, 10
    !$cppc checkpoint
    !$cppc execute capture(i) file(10, 'log.txt')
    open (10, file='log.txt', position='append')
    !$cppc end execute
    write (10, *) i
    close (10)
    open (11, file='now.txt', position='append', status='replace')
    write (11, *) i
    close (11)
    open (12, file='again.txt', position=start)
    write (12, *) i
    close (12)
    open (13, file='now.txt', position='append', action='read')
    close (13)
  end do
  !$cppc shutdown
end program files_for_appending_in_blocks
