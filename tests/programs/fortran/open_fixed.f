*     Exercises: fixed form, without a statement of today: a log that is
*     appended to, a unit that a procedure is given.
*     writes: files
*     compilers: gfortran
      PROGRAM FIXED
      INTEGER I, LOGU
      DOUBLE PRECISION T
      LOGU = 14
C$CPPC INIT
      CALL OPENUP(LOGU, 'LOG.TXT')
      T = 0.0D0
C$CPPC REGISTER(I, T)
      DO 10 I = 1, 12
C$CPPC CHECKPOINT
        T = T + SQRT(DBLE(I))
        CALL NOTE(LOGU, I, T)
        WRITE (*, '(I4, F12.6)') I, T
   10 CONTINUE
      CLOSE (LOGU)
C$CPPC SHUTDOWN
      END

      SUBROUTINE OPENUP(IU, NAME)
      INTEGER IU
      CHARACTER*(*) NAME
C$CPPC EXECUTE FILE(IU, NAME)
      OPEN (IU, FILE=NAME, STATUS='UNKNOWN')
      REWIND (IU)
      WRITE (IU, '(A)') 'BEGUN'
C$CPPC END EXECUTE
      END

      SUBROUTINE NOTE(IU, I, T)
      INTEGER IU, I
      DOUBLE PRECISION T
      WRITE (IU, 100) I, T
  100 FORMAT ('STEP', I4, F14.6)
      END
