! Exercises: statements whose calls stand on other lines than their beginnings: marks of continuation, comments and blank
! lines between, names and constants that go on in the next line.
program form_calls_continued
  implicit none
  integer :: i, n
  character(len=40) :: line
  n = 3
  line = ' '
  !$cppc init
  !$cppc register(n, line)
  do i = 1, 3
    n = n + &
      step(i)
    n = n + & ! the first
      ! a comment
      &step(i) - &

      & step(n) * &
      (step(1) - step(2)) &
      + 1
    n = mod(n + st&
      &ep(i &
      + 1), 1000)
    line = 'a string that goes & on: ' // &
      word(i) // ' and &
      &on' // &
      word(n)
    if (step(i) > 2 &
      .and. step(n) &
      > 3) n = n &
      + step(4); n = n + 1
    call set( &
      n, & ! what
      step( &
      3))
    print '(i0, 1x, a)', n, trim(line)
  end do
  !$cppc shutdown
contains
  integer function step(x)
    integer, intent(in) :: x
    !$cppc checkpoint
    step = x + 1
  end function step

  function word(x)
    integer, intent(in) :: x
    character(len=3) :: word
    !$cppc checkpoint
    write (word, '(i3)') mod(x, 1000)
  end function word

  subroutine set(a, b)
    integer, intent(inout) :: a
    integer, intent(in) :: b
    !$cppc checkpoint
    a = a + b
  end subroutine set
end program form_calls_continued
