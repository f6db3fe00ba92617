C     A stencil whose loop holds the checkpoint: the arrays, the index and the result are variables of
C     the procedure that does the work.
      PROGRAM STENCL
      INTEGER N, STEPS
      PARAMETER (N = 400, STEPS = 8000)
      DOUBLE PRECISION NOW(N, N), NEXT(N, N), CHANGE
      INTEGER I, J
      DO 10 J = 1, N
      DO 10 I = 1, N
        NOW(I, J) = 0.0D0
   10   NEXT(I, J) = 0.0D0
      DO 20 I = 1, N
        NOW(I, 1) = 100.0D0
   20   NEXT(I, 1) = 100.0D0
C$CPPC INIT
      CALL RELAX(NOW, NEXT, N, STEPS, CHANGE)
      WRITE (*, '(2(1X, Z16.16))') CHANGE, NOW(N / 2, N / 2)
C$CPPC SHUTDOWN
      END

      SUBROUTINE RELAX(NOW, NEXT, N, STEPS, CHANGE)
      INTEGER N, STEPS, STEP, I, J
      DOUBLE PRECISION NOW(N, N), NEXT(N, N), CHANGE, MEAN, MOVED
C$CPPC REGISTER(NOW, NEXT, CHANGE)
      DO 60 STEP = 1, STEPS, 2
C$CPPC CHECKPOINT
        CHANGE = 0.0D0
        DO 40 J = 2, N - 1
        DO 40 I = 2, N - 1
          MEAN = 0.25D0 * (NOW(I - 1, J) + NOW(I + 1, J)
     &      + NOW(I, J - 1) + NOW(I, J + 1))
          MOVED = ABS(MEAN - NOW(I, J))
          CHANGE = MAX(CHANGE, MOVED)
          NEXT(I, J) = MEAN
   40   CONTINUE
        DO 50 J = 2, N - 1
        DO 50 I = 2, N - 1
          NOW(I, J) = 0.25D0 * (NEXT(I - 1, J) + NEXT(I + 1, J)
     &      + NEXT(I, J - 1) + NEXT(I, J + 1))
   50   CONTINUE
   60 CONTINUE
      END
