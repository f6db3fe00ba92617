      SUBROUTINE SUB(N, *, *)
      INTEGER N, LAB
      ASSIGN 30 TO LAB
      IF (N) 10, 20, 30
   10 N = 1
      GOTO (20, 30), N
      GOTO LAB
   20 CALL OTHER(N, *30, *40)
      RETURN 1
   30 N = 3
      GOTO LAB, (10, 40)
   40 END
