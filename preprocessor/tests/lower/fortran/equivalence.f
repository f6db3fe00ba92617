      SUBROUTINE SUB(N)
      INTEGER N, A(10), B(5), C
      REAL*8 D
      COMMON /BLK/ C
      EQUIVALENCE (A(3), B(1)), (C, D)
      SAVE A
      A(3) = N
      N = B(1)
      D = 0
      END
