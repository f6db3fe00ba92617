! Files that a block without `file` opens with status='replace': a restart that runs the block again removes what the program
! has written before the checkpoint, also if it has closed the file. A scratch file is empty in any case.
! reports: u, unit 11
program files_emptied_by_blocks
  implicit none
  integer :: i
  !$cppc init
  !$cppc register(i)
  do i = 1, 10
    call logged(i)
    call recorded(i)
    call others(i)
    !$cppc checkpoint
  end do
  print *, i
  !$cppc shutdown
contains
  subroutine logged(n)
    integer, intent(in) :: n
    integer :: u
    if (n == 1) then
      !$cppc execute
      open (newunit=u, file='log.txt', status='replace')
      !$cppc end execute
    else
      !$cppc execute file(u, 'log.txt')
      open (newunit=u, file='log.txt', status='old', position='append')
      !$cppc end execute
    end if
    write (u, *) n
    close (u)
  end subroutine logged
  subroutine recorded(n)
    integer, intent(in) :: n
    if (n == 1) then
      !$cppc execute
      open (11, file='records.bin', access='direct', recl=4, form='unformatted', status='replace')
      !$cppc end execute
      write (11, rec=n) n
      close (11)
    end if
  end subroutine recorded
  subroutine others(n)
    integer, intent(in) :: n
    integer :: m
    !$cppc execute file(12, 'kept.txt')
    open (12, file='kept.txt', status='replace')
    !$cppc end execute
    write (12, *) n
    close (12)
    !$cppc execute
    open (13, file='empty.txt', status='replace')
    open (14, status='scratch')
    !$cppc end execute
    close (13)
    write (14, *) n
    rewind (14)
    read (14, *) m
    close (14)
  end subroutine others
end program files_emptied_by_blocks
