! The name of a file is copied from a variable that changes between the two uses of the file.
! reports: open
program copied_names_of_files
  implicit none
  integer :: i, n
  character(len=20) :: name, current
  !$cppc init
  call get_command_argument(1, current)
  !$cppc register(i, current)
  do i = 1, 10
    !$cppc checkpoint
    name = current
    open (10, file=name, status='old')
    read (10, *) n
    close (10)
    current = 'b'
    open (11, file=name, status='replace')
    write (11, *) n + i
    close (11)
  end do
  !$cppc shutdown
end program copied_names_of_files
