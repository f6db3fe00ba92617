! Scratch files and new files that are opened in each step: a restart does not need what they contained, also if a loop that
! writes them may have no iterations.
! reports: nothing
program scratch_files
  implicit none
  integer :: i, k, n, total
  total = 0
  !$cppc init
  !$cppc register(i, total)
  do i = 1, 10
    !$cppc checkpoint
    open (9, status='scratch', form='unformatted')
    do k = 1, i
      write (9) i * k
    end do
    rewind (9)
    read (9) n
    backspace (9)
    write (9) n
    close (9)
    open (10, file='new.txt', status='replace')
    do k = 1, i
      write (10, *) i * k
    end do
    rewind (10)
    read (10, *) n
    rewind (10)
    write (10, *) n
    close (10)
    total = total + n
  end do
  print *, total
  !$cppc shutdown
end program scratch_files
