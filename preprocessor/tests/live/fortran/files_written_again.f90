! Work files: units that are read after the checkpoint, and then written from the beginning of the file. A unit that is written
! before it is read, two files with one unit, and a unit that is only read again need nothing.
! reports: unit 10, unit 11, unit 12
program files_written_again
  implicit none
  integer :: i, n, total
  total = 0
  !$cppc init
  !$cppc register(i, total)
  do i = 1, 10
    !$cppc checkpoint
    open (10, file='values.txt', status='old')
    read (10, *) n
    close (10)
    total = total + n
    !$cppc execute file(10, 'values.txt')
    open (10, file='values.txt', status='replace')
    !$cppc end execute
    write (10, *) total
    close (10)

    open (11, file='work.dat', form='unformatted')
    if (i > 1) then
      read (11) n
      rewind (11)
    end if
    write (11) total
    close (11)

    open (12, file='stream.dat', access='stream')
    read (12, pos=1) n
    write (12, pos=1) n + 1
    close (12)

    open (13, status='scratch')
    write (13, *) total
    rewind (13)
    read (13, *) n
    close (13)

    open (14, file='input.txt', status='old')
    read (14, *) n
    close (14)
    open (14, file='output.txt', status='replace')
    write (14, *) n
    close (14)

    open (16, file='read.txt')
    read (16, *) n
    close (16)
    open (16, file='written.txt')
    write (16, *) n
    close (16)

    open (15, file='table.txt', status='old')
    read (15, *) n
    rewind (15)
    read (15, *) n
    close (15)
  end do
  print *, total
  !$cppc shutdown
end program files_written_again
