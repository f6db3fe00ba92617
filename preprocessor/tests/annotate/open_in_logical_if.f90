! The block around the OPEN contains the condition too, so the variables of the condition are captured.
program main
  implicit none
  integer :: step, rank
  logical :: wanted
  read (*, *) wanted, rank
  if (wanted .and. rank == 0) open (20, file='energy.txt', status='replace')
  do step = 1, 10
    !$cppc checkpoint
    if (wanted .and. rank == 0) write (20, *) step
  end do
  if (wanted) then
    open (21, file='end.txt')
    write (21, *) step
  end if
end program main
