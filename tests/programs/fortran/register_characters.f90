! Exercises: character variables of a fixed length and of length one, arrays of them, one whose length
! is a dummy's, and an allocatable one of a deferred length.
program characters
  implicit none
  character :: one
  character(len=12) :: word
  character(7) :: list(3)
  character*4 table(2, 2)
  character(len=:), allocatable :: text
  integer :: i
  one = 'a'; word = 'start'; list = ['first  ', 'second ', 'third  ']; table = 'ab'
  allocate (character(len=3) :: text)
  text = 'xyz'
  !$cppc init
  !$cppc register(one, word, list, table, text)
  do i = 1, 6
    !$cppc checkpoint
    one = achar(iachar(one) + 2)
    word(i:i) = one
    list(mod(i, 3) + 1)(2:3) = one // one
    table(1 + mod(i, 2), 2) = word(1:2) // 'z'
    text = text // one
    call rotate(word, list)
    print '(i2, 12a)', i, '|', one, '|', word, '|', list, '|', table(1, 2), table(2, 2), text
  end do
  !$cppc shutdown
contains
  subroutine rotate(text, lines)
    character(len=*), intent(inout) :: text
    character(*), intent(inout) :: lines(:)
    character(len=len(text)) :: before
    before = text
    !$cppc register(text, lines, before)
    text = text(2:) // text(1:1)
    !$cppc checkpoint
    lines = cshift(lines, 1)
    if (before(1:1) > text(1:1)) lines(1)(7:7) = '*'
  end subroutine rotate
end program characters
