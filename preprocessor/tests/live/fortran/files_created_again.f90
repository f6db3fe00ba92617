! A file that the program creates before `init`, and deletes after it: a restart creates it again. One that it only reads after
! `init` needs nothing.
! reports: open
program files_created_again
  implicit none
  integer :: i, n
  logical :: is_there
  open (10, file='run.txt')
  write (10, *) 1
  close (10)
  open (10, file='input.txt')
  write (10, *) 1
  close (10)
  !$cppc init
  !$cppc register(i)
  do i = 1, 5
    !$cppc checkpoint
    open (11, file='input.txt', status='old')
    read (11, *) n
    close (11)
    if (i == 2) then
      open (10, file='run.txt')
      close (10, status='delete')
    end if
    inquire (file='values.txt', exist=is_there)
    print *, i, n, is_there
  end do
  open (10, file='run.txt', status='old', iostat=n)
  print *, n
  !$cppc shutdown
end program files_created_again
