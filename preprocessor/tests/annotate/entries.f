C No directive goes into a procedure with ENTRY. A variable of it with SAVE is left out. A COMMON block is registered elsewhere.
      PROGRAM P
      CALL SETV (3.0)
      DO 1 I=1,9
!$cppc checkpoint
      CALL ADDV (REAL(I))
    1 CONTINUE
      CALL GETV (Q)
      PRINT *, Q
      END
      SUBROUTINE SETV (X)
      COMMON /SUMS/ T
      SAVE S, N
      DATA N /0/
      S = X
      T = X
      RETURN
      ENTRY ADDV (X)
      N = N + 1
      S = S + X*N
      T = T + S
      OPEN (10, FILE='LOG', ACCESS='APPEND')
      WRITE (10, *) T
      CLOSE (10)
      RETURN
      ENTRY GETV (X)
      X = S + T
      END
