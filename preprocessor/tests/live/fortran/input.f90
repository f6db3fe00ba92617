! Input fills its items, also if the statement continues after a failure. Items of another statement are kept.
! reports: read, title
! all: line, read, title
program input
  implicit none
  integer :: i, status, total
  character(len=20) :: line, title
  total = 0
  !$cppc init
  read (*, '(a)', iostat=status) title
  !$cppc register(total, i)
  do i = 1, 3
    !$cppc checkpoint
    read (*, '(a)', iostat=status) line
    if (status == 0) total = total + len_trim(line)
    print *, total, len_trim(line), title
  end do
  !$cppc shutdown
end program input
