      PROGRAM MAIN
      IMPLICIT REAL*8 (A-H, O-Z)
      PARAMETER (N = 10, M = 2 * N)
      DIMENSION A(N, 0:M)
      COMMON /SHARED/ B(N), K
      CHARACTER*8 NAME
      LOGICAL DONE
      EXTERNAL RESID
      SQ(X) = X * X
      DATA TOL /1.D-6/
C$CPPC INIT
      A(1, 0) = SQ(2.D0)
C$CPPC REGISTER(A, B(N), K, NAME, DONE, TOL, ERR, /SHARED/)
      DO 10 I = 1, N
      DO 10 J = 1, N, 2
        IF (DONE) GOTO 20
        CALL RELAX(A, N, I + 1, ERR, *20)
C$CPPC CHECKPOINT
   10 A(I, J) = A(I, J) + RESID(A, J) * 2
   20 IF (ERR - TOL) 30, 30, 10
   30 STOP
      END

      SUBROUTINE RELAX(U, LDU, J, E, *)
      REAL*8 U(LDU, *), E
      INTEGER COUNT
      SAVE COUNT
*$CPPC REGISTER(U(LDU, J), COUNT, E)
      IF (E .GT. 1.D0) RETURN 1
C$CPPC CHECKPOINT
      CALL INNER(E, U(1, J))
      END

      REAL*8 FUNCTION RESID(U, J)
      DOUBLE PRECISION U(*)
      RESID = U(J)
      ENTRY RES2(U, J)
      END
