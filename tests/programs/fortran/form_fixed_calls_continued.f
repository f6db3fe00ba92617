C Exercises: statements of fixed form whose calls stand on other lines than their beginnings, with comments
C between, and a name and a constant that go on in the next line.
      PROGRAM FIXCAL
      INTEGER I, N, STEP
      CHARACTER*30 LINE
      N = 3
      LINE = ' '
C$CPPC INIT
C$CPPC REGISTER(N, LINE)
      DO 10 I = 1, 3
        N = N +
     &STEP(I)
        N = N + 2
C       a comment
     1    - STEP(I)

     2    * (STEP(N) - ST
     3EP(2))
        LINE = 'a constant that goes on with
     & blanks'
        IF (STEP(I) .GT. 2
     &      .AND. STEP(N) .GT. 1) N = N
     &      + STEP(3)
        N = MOD(N, 1000)
        WRITE (*, '(I6, 1X, A)') N,
     &  LINE
   10 CONTINUE
C$CPPC SHUTDOWN
      END
      INTEGER FUNCTION STEP(X)
      INTEGER X
C$CPPC CHECKPOINT
      STEP = X + 1
      END
