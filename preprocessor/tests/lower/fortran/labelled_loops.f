      SUBROUTINE SUB(A, N)
      INTEGER N, I, J
      REAL A(N, N), X
      DO 10 J = 1, N
      DO 10 I = 1, N
      IF (A(I, J) .EQ. 0) GOTO 10
      A(I, J) = I + J
   10 CONTINUE
      DO 20 X = 0.0, 1.0, 0.1
   20 A(1, 1) = X
      END
