! A restart opens the file again at its end, behind what the lost run has appended after the checkpoint.
! reports: open
program files_in_blocks_without_file
  implicit none
  integer :: i
  !$cppc init
  !$cppc register(i)
  !$cppc execute
  open (10, file='log.txt', position='append')
  !$cppc end execute
  do i = 1, 10
    !$cppc checkpoint
    write (10, *) i
  end do
  close (10)
  !$cppc shutdown
end program files_in_blocks_without_file
