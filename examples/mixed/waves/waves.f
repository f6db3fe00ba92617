C     Waves on a string whose ends are held.
      SUBROUTINE PLUCK(NOW, BEFORE, N)
      INTEGER N, I
      DOUBLE PRECISION NOW(N), BEFORE(N)
      DO 10 I = 1, N
        NOW(I) = DBLE(MIN(2 * (I - 1), N - I)) / N
   10   BEFORE(I) = NOW(I)
      END

C     Goes on by so many steps. How often this was done since the program began stands in TOTAL.
      SUBROUTINE ADVANCE(NOW, BEFORE, N, STEPS)
      INTEGER N, STEPS, STEP, I, TOTAL
      DOUBLE PRECISION NOW(N), BEFORE(N), NEXT, LEFT, SPEED
      PARAMETER (SPEED = 0.25D0)
      SAVE TOTAL
      DATA TOTAL /0/
C$CPPC REGISTER(TOTAL)
      DO 20 STEP = 1, STEPS
        LEFT = NOW(1)
        DO 10 I = 2, N - 1
          NEXT = 2 * NOW(I) - BEFORE(I)
     &      + SPEED * (LEFT - 2 * NOW(I) + NOW(I + 1))
          BEFORE(I) = NOW(I)
          LEFT = NOW(I)
          NOW(I) = NEXT
   10   CONTINUE
        TOTAL = TOTAL + 1
C       The string is struck again from time to time.
        IF (MOD(TOTAL, 8) .EQ. 0) THEN
C$CPPC CHECKPOINT
          NOW(N / 4) = NOW(N / 4) + 0.125D0
        END IF
   20 CONTINUE
      END

      DOUBLE PRECISION FUNCTION ENERGY(NOW, BEFORE, N)
      INTEGER N, I
      DOUBLE PRECISION NOW(N), BEFORE(N)
      ENERGY = 0
      DO 10 I = 2, N
   10   ENERGY = ENERGY + (NOW(I) - BEFORE(I))**2
     &    + 0.25D0 * (NOW(I) - NOW(I - 1))**2
      END
