! Exercises: units of stream access: results with a head that is written again, text with lines begun and not ended, an
! input that is read here and there, a table that is both.
! writes: files
! compilers: gfortran
program open_streams
  implicit none
  integer :: results, text, input, table, i, number, place
  real(8) :: x(3), total

  call make_input
!$cppc init
!$cppc execute file(results, 'results.bin') file(text, 'text.txt') file(input, 'input.bin') file(table, 'table.bin')
  open(newunit=results, file='results.bin', access='stream', status='replace', action='write')
  write(results) 'HEAD'
  open(newunit=text, file='text.txt', access='stream', form='formatted', status='replace')
  write(text, '(a)') 'what the block writes'
  open(newunit=input, file='input.bin', access='stream', status='old', action='read')
  open(newunit=table, file='table.bin', access='stream', status='replace')
  write(table) [(i * 3, i = 1, 20)]
!$cppc end execute
!$cppc execute file(31, 'numbers.txt')
  open(31, file='numbers.txt', access='stream', form='formatted', action='read')
!$cppc end execute
!$cppc register(i, total)
  total = 0
  do i = 1, 14
!$cppc checkpoint
    x = i * [1d0, 2d0, 3d0]
    write(results) i, x
    if (mod(i, 3) == 0) then
      inquire(results, pos=place)
      write(results, pos=5) i
      write(results, pos=place) 'after'
    end if
    read(input) number, x(1)
    total = total + x(1) + number
    if (mod(i, 4) == 1) read(input, pos=1 + 12 * mod(i * 7, 50)) number
    write(text, '(i4)', advance='no') i
    if (mod(i, 2) == 0) write(text, '(a)') ' end'
    read(31, '(i4)', advance='no') number
    if (mod(i, 3) == 2) read(31, '(a)')
    total = total + number
    read(table, pos=1 + 4 * mod(i * 3, 20)) number
    total = total + number
!$cppc checkpoint
    ! Where the table stands is where the last one was read.
    read(table) number
    write(table, pos=1 + 4 * (20 + i)) number + i
    inquire(results, pos=place)
    write(*, '(i4, f12.3, 2i8)') i, total, place, number
    inquire(text, pos=place)
    write(*, '(i8)') place
  end do
  close(results)
  close(text)
  close(input)
  close(table)
!$cppc shutdown

contains

  subroutine make_input
    integer :: k
    open(9, file='input.bin', access='stream', status='replace')
    do k = 1, 60
      write(9) k, k * 0.5d0
    end do
    close(9)
    open(9, file='numbers.txt', status='replace')
    do k = 1, 30
      write(9, '(4i4)') k, k + 1, k + 2, k + 3
    end do
    close(9)
  end subroutine make_input
end program open_streams
