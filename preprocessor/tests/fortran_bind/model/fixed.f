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

      SUBROUTINE CHAIN(X, I, N)
      REAL F, X, G, SHARED
      INTEGER LIST(3), LIST2(2), I
      EQUIVALENCE (LIST(1), LIST2(1)), (G, Q)
      DATA Q /1.0/
      F(Y) = Y + RESID2(Y)
      H(Y) = Y * 2
C$CPPC REGISTER(G, LIST, X, SHARED)
      X = H(RESID2(X))
      X = F(X)
      CALL DEEP(X, SHARED)
      CALL QUIET(I)
      READ (*, *, END = 5) (LIST(J), J = 1, 2)
      IF (X .GT. 1 .AND. RESID2(X) .LT. 2) GOTO (5, 6), N
    5 CONTINUE
    6 RETURN
      END

      SUBROUTINE DEEP(A, B)
      A = A + 1
C$CPPC CHECKPOINT
      C = B
      END

      SUBROUTINE QUIET(K)
      K = K + 1
      END
