! A variable with the name of a file changes after the copy of the name: it then names another file.
! reports: nothing
program names_changed_after_a_copy
  implicit none
  integer :: i, n, total
  character(len=20) :: name, current
  total = 0
  !$cppc init
  call get_command_argument(1, current)
  name = current
  call get_command_argument(2, current)
  !$cppc register(i, name, current, total)
  do i = 1, 10
    !$cppc checkpoint
    open (10, file=name, status='old')
    read (10, *) n
    close (10)
    total = total + n
    open (11, file=current, status='replace')
    write (11, *) total
    close (11)
  end do
  !$cppc shutdown
end program names_changed_after_a_copy
