! Exercises: a file that an execute block opens again after a resume and reads on to the line it was
! at, and a scratch file that is written anew.
program files
  implicit none
  integer :: i, k, done, unit, status
  character(len=20) :: line, title
  integer :: total
  done = 0; total = 0; title = 'first line'
  !$cppc init
  !$cppc execute capture(title)
  open (newunit=unit, status='scratch', form='formatted')
  write (unit, '(a)') title, '22', '333', '4', '55555', '6'
  rewind (unit)
  !$cppc end execute
  title = 'changed'
  !$cppc register(done, total, title)
  do i = 1, 6
    !$cppc checkpoint
    rewind (unit)
    do k = 0, done
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
    end do
    done = done + 1
    total = total + len_trim(line) * i
    print '(2i4, 3(1x, a))', i, total, trim(line), trim(title)
  end do
  close (unit)
  !$cppc shutdown
end program files
