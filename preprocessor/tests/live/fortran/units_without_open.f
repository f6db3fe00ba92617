C Units that no OPEN statement connects: their first use opens a file. Unit 5 and 6 are always connected.
C reports: unit 19, unit 20
      PROGRAM UNITS
      S = 0
C$CPPC INIT
C$CPPC REGISTER(S)
      DO 10 I = 1, 9
C$CPPC CHECKPOINT
      READ (19, *) Y
      S = S*0.5 + Y
      WRITE (20, '(I4, F10.5)') I, S
      WRITE (6, *) I
   10 CONTINUE
      PRINT *, S
C$CPPC SHUTDOWN
      END
