! The program asks after the checkpoint whether a file exists, and then creates or deletes it. A question before the first
! checkpoint, and files of another program, of a block or that must exist need nothing.
! reports: inquire
program existence_of_files
  implicit none
  integer :: i
  logical :: is_there
  !$cppc init
  inquire (file='restart.txt', exist=is_there)
  !$cppc register(i)
  do i = 1, 10
    !$cppc checkpoint
    inquire (file='flag', exist=is_there)
    print *, i, is_there
    if (i == 2) then
      open (41, file='flag')
      write (41, *) i
      close (41)
    end if

    inquire (file='stop', exist=is_there)
    if (is_there) print *, i

    inquire (file='new.txt', exist=is_there)
    if (.not. is_there) then
      !$cppc execute capture(i) file(42, 'new.txt')
      open (42, file='new.txt', status='new')
      !$cppc end execute
      write (42, *) i
      close (42)
    end if

    inquire (file='table.txt', exist=is_there)
    if (is_there) then
      open (44, file='table.txt', status='old')
      write (44, *) i
      close (44)
    end if

    open (45, file='restart.bin', form='unformatted', status='old')
    write (45) i
    close (45)
    if (i == 5) then
      open (45, file='restart.bin', form='unformatted', status='replace')
      close (45)
    end if

    open (43, file='restart.txt', status='replace')
    write (43, *) i
    close (43)
  end do
  !$cppc shutdown
end program existence_of_files
