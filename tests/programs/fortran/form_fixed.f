c Exercises: fixed form with every sentinel that starts in column 1, in any case, comments of every
c kind between them, and statements in upper and lower case.
      PROGRAM FIXED
      INTEGER I, K, N
      PARAMETER (N = 12)
      DOUBLE PRECISION U(N), TOTAL
C     The field starts as a ramp.
      TOTAL = 0.0D0
      DO 10 I = 1, N
         U(I) = I * 0.5D0
   10 CONTINUE
c$cppc init
C$CPPC REGISTER(U, TOTAL)
*$cppc register(i)
      do 30 i = 1, 6
*        A comment with a star.
!$CpPc Checkpoint
         DO 20 K = 2, N
            U(K) = U(K) * 0.75D0 + U(K - 1)
   20    CONTINUE
         TOTAL = TOTAL + U(N)
         WRITE (*, '(A, I3, 1X, Z16.16)') 'total', I, TOTAL
C$cppc CHECKPOINT
   30 CONTINUE
!$cppc shutdown
      END
