! Statements that share a line get lines of their own where directives are needed. A semicolon in a string or a comment
! separates nothing, and a line is not divided where a statement begins after a continuation.
program lines; implicit none; integer :: i, unit; real :: x; character(12) :: name
  logical :: wanted = .true.
  x = 1; if (wanted) open (7, file="g;h"); open (8, file='b.txt') ! one; two
  do i = 1, 9; x = x * 1.1
    !$cppc checkpoint
    write (name, '("s;", i2.2)') i; open (10, file=name, &
      status='new'); write (10, *) x, 'a;b'; close (10); if (i > 2) then; open (newunit=unit, & ! c; d
      & file='log;x', position='append'); write (unit, *) i; close (unit); end if
    close (11); &
      open (11, file='work.txt'); rewind (11)
    write (7, *) i; write (8, *) i * i; end do
20 continue; 30 open (9, file='last.txt', status='new'); write (9, *) x; close (9)
  print *, x; end program
