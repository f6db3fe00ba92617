! Files that must not exist: a resumed run finds what the killed run has created, unless a block with `file` contains the OPEN
! statement.
! reports: open
program new_files
  implicit none
  character(len=*), parameter :: fresh = 'new'
  integer :: i, unit
  !$cppc init
  !$cppc execute
  open (13, file='first.txt', status='NEW')
  !$cppc end execute
  !$cppc register(i)
  do i = 1, 10
    !$cppc checkpoint
    !$cppc execute capture(i) file(10, 'log.txt')
    open (10, file='log.txt', status='new')
    !$cppc end execute
    close (10, status='delete')
    open (newunit=unit, file='other.txt', status=fresh)
    close (unit, status='delete')
  end do
  open (12, file='last.txt', status='new')
  close (12)
  !$cppc shutdown
end program new_files
