! Units that a restart opens again at the beginnings of their files: before init, and in a block without `file`. A unit that is
! rewound, and one that is closed before the checkpoint, have no position that is needed.
! reports: unit 10, unit 11
program positions_in_files
  implicit none
  integer :: i, n, total
  open (10, file='early.txt', status='old')
  open (12, file='settings.txt', status='old')
  read (12, *) total
  close (12)
  open (15, file='first.txt', status='old')
  read (15, *) n
  close (15)
  !$cppc init
  !$cppc register(i, total)
  !$cppc execute
  open (11, file='block.txt')
  open (13, file='again.txt', status='old')
  !$cppc end execute
  !$cppc execute file(14, 'kept.txt')
  open (14, file='kept.txt')
  !$cppc end execute
  !$cppc execute file(15, 'second.txt')
  open (15, file='second.txt', status='old')
  !$cppc end execute
  do i = 1, 10
    !$cppc checkpoint
    read (10, *) n
    total = total + n
    write (11, *) total
    write (14, *) total
    read (15, *) n
    rewind (13)
    read (13, *) n
    total = total + n
  end do
  print *, total
  !$cppc shutdown
end program positions_in_files
