C     Fixed form: generated lines end before column 73.
      SUBROUTINE ADVANC(U, N)
      INTEGER N, I
      REAL U(N)
!$CPPC REGISTER(U)
      DO 10 I = 1, N
!$CPPC CHECKPOINT
        U(I) = U(I) * 0.5
10    CONTINUE
      END
