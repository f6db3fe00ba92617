C     Exercises: an intrinsic procedure as an argument of a call that leads to a checkpoint.
      PROGRAM MAIN
      INTRINSIC SIN, COS
C$CPPC INIT
      X = 1
C$CPPC REGISTER(X)
      DO 10 I = 1, 3
      CALL DRV(SIN, X)
      CALL DRV(COS, X)
      PRINT '(F8.4)', X
   10 CONTINUE
C$CPPC SHUTDOWN
      END
      SUBROUTINE DRV(G, X)
      EXTERNAL G
C$CPPC CHECKPOINT
      X = X + G(X)
      END
