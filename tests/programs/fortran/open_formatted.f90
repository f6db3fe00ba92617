! Exercises: formatted files: a log that is written, lines begun and not ended among it; a table that is read on and
! on, a line in parts; both under numbers that OPEN chooses or the program does.
! writes: files
! compilers: gfortran
program open_formatted
  implicit none
  integer :: log, i, k, value, ios, total
  character(len=20) :: name, word

  call make_table
  name = 'log.txt'
!$cppc init
!$cppc execute file(log, trim(name)) file(11, 'table.txt') capture(name)
  open(newunit=log, file=name, status='replace', action='write')
  write(log, '(a)') 'what the block writes'
  write(log, '(a)', advance='no') 'and begins'
  open(11, file='table.txt', status='old', action='read')
!$cppc end execute
!$cppc register(i, total)
  total = 0
  do i = 1, 25
!$cppc checkpoint
    ! The rest of the line that the step before has begun.
    if (mod(i, 4) == 2) read(11, '(a)') word
    read(11, '(i4)', advance='no') value
    read(11, '(a)', iostat=ios) word
    total = total + value + len_trim(word)
    if (mod(i, 4) == 1) then
      read(11, '(i4)', advance='no') value
      total = total + value
    else if (mod(i, 4) == 3) then
      backspace(11)
    end if
    do k = 1, mod(i, 5)
      write(log, '(i5)', advance='no') total
    end do
    if (mod(i, 3) /= 0) write(log, '(a)') ' end'
    if (i == 20) flush(log)
    write(*, '(3i8)') i, value, total
  end do
  do i = 1, 3
!$cppc checkpoint
    write(*, '(a, i2)') 'after', i
  end do
  close(log)
  close(11)
!$cppc shutdown

contains

  subroutine make_table
    integer :: line
    open(9, file='table.txt', status='replace')
    do line = 1, 60
      write(9, '(i4, a)') line * 7, repeat('x', mod(line, 9))
    end do
    close(9)
  end subroutine make_table
end program open_formatted
