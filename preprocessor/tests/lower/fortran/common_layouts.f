      PROGRAM MAIN
      INTEGER I, J
      REAL*8 X
      COMMON /BLOCK/ I, X(10), J
      DATA J /3/
      X(J) = I
      CALL SUB
      END
      SUBROUTINE SUB
      COMMON /BLOCK/ K, L, Y(20), M
      INTEGER K, L, M
      REAL Y
      M = K + L
      END
