      SUBROUTINE S(A,,B)
      DO 10 I = 1, 10
      IF (X) THEN
   10 CONTINUE
      ASSIGN 5 X
      GOTO (1, 2, X), I
      X = 3 Y
      DATA X
      END
      CALL MAIN
