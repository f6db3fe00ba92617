C     Fixed form: COMMON, of which a part is needed, a GO TO loop, and an open file.
      PROGRAM OLD
      INTEGER N, STEP, UNIT
      REAL*8 A(10), B(10), SCRATCH(10)
      COMMON /FIELDS/ A, SCRATCH, B
      UNIT = 17
      OPEN(UNIT, FILE='OLD.LOG', STATUS='UNKNOWN')
      DO 10 N = 1, 10
        A(N) = N
        B(N) = 2 * N
   10 CONTINUE
      STEP = 0
   20 STEP = STEP + 1
!$CPPC CHECKPOINT
      CALL RELAX
      WRITE(UNIT, *) STEP, A(3)
      IF (STEP .LT. 9) GO TO 20
      PRINT *, A(5), B(5)
      END
      SUBROUTINE RELAX
      INTEGER N
      REAL*8 A(10), B(10), SCRATCH(10)
      COMMON /FIELDS/ A, SCRATCH, B
      DO 10 N = 1, 10
        SCRATCH(N) = A(N)
   10 CONTINUE
      DO 20 N = 1, 10
        A(N) = SCRATCH(11 - N) + B(N)
   20 CONTINUE
      END
