! Exercises: directives over several lines, continued with `&` behind any sentinel; statements continued
! with all sorts of marks, blanks and comments between their lines.
      program cont
      integer i, step, odd(3), even(3)
      real*8 left, right,
     1       middle
      common /parts/ left, right,
C     A comment within a statement.
     +               middle
      data odd /1, 3, 5/, even
     & /2, 4, 6/
      left = 1
      right = 2
      middle = 3
c$cppc init
!$cppc register(step, odd,
!$cppc&         even,
!$cppc&         left)
c$cppc register(
C$CPPC& right,
*$cppc& middle)
      do 100 step = 1, 5
!$cppc
c$cppc& checkpoint
        do 50 i = 1, 3
          odd(i) = odd(i) * 3 + even(
     $      i)
   50     even(i) = odd(i) -
     $      step
        left = left / 2 +
     X         right
        right = right * 0.25d0 + middle
        middle = middle - 0.125d0
        print '(a,i3,6i9,3(1x,z16.16))', 'parts', step, odd, even,
     &    left, right, middle
  100 continue
!$cppc
!$cppc& shutdown
      end
