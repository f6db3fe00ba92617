! Files that the program reads after the checkpoint, and then deletes or replaces by another file. A resumed run does not find
! them. A file that is written before it is read needs nothing.
! reports: open
program files_removed_after_reading
  implicit none
  integer :: i, n, total, status
  total = 0
  !$cppc init
  !$cppc register(i, total)
  do i = 1, 10
    !$cppc checkpoint
    open (10, file='mail.txt')
    read (10, *, iostat=status) n
    close (10, status='delete')

    open (11, file='new.txt', status='replace')
    write (11, *) total
    close (11)
    open (11, file='old.txt', status='old')
    read (11, *) n
    close (11)
    call rename('new.txt', 'old.txt')

    open (12, file='scratch.txt')
    write (12, *) total
    rewind (12)
    read (12, *) n
    close (12, status='delete')
    total = total + n
  end do
  print *, total
  !$cppc shutdown
end program files_removed_after_reading
