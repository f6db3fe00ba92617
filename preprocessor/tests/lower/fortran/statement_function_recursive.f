C     A statement function that contains itself is not valid. Its definition
C     is not lowered without end.
      subroutine smooth(t, n)
      integer n
      real t
      real*8 field
      field(i, j) = 0.5d0 * field(i, j) + 0.25d0 * field(i - 1, j)
      t = t + field(2, n)
      end
