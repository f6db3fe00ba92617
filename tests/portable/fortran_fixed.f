C     COMMON blocks whose members are aligned otherwise elsewhere, EQUIVALENCE, DATA, SAVE, an array of
C     characters, a loop that ends where another does, an ENTRY.
      PROGRAM FIXED
      IMPLICIT REAL*8 (A-H, O-Z)
      PARAMETER (N = 6)
      CHARACTER*5 NAMES(3)
      LOGICAL DONE
      INTEGER*2 SHORT
      COMMON /STATE/ X(N), SHORT, Y(N, 2), COUNT, NAMES, DONE, Z
      COMMON // BLANK(4), ITEM
      COMPLEX*16 Z
      INTEGER COUNT
      REAL*4 PART(4), FIRST
      EQUIVALENCE (PART(1), FIRST)
      SAVE PART
      DATA PART / 0.5, 1.5, 2.5, 3.5 /
c$cppc init
      CALL START
      DO 5 I = 1, 4
    5 BLANK(I) = I * 0.375D0
      ITEM = -12345
c$cppc register(/state/, part, blank, item)
      DO 20 IT = 1, 2
      DO 20 K = N, 1, -3
c$cppc checkpoint
         CALL MAYBE_DIE((IT - 1) * 2 + (N - K) / 3 + 1)
         CALL STEP(K)
         FIRST = FIRST * 1.5 + K
         PART(IT + 1) = FIRST - 1
         BLANK(IT) = BLANK(IT + 1) * ITEM
         ITEM = ITEM / 3
   20 CONTINUE
      PRINT '(18(1X, Z16.16))', X, Y
      PRINT '(2(1X, I0), 3A, 1X, L1, 2(1X, Z16.16))', SHORT, COUNT,
     &  NAMES, DONE, Z
      PRINT '(4(1X, Z8.8), 4(1X, Z16.16), 1X, I0)', PART, BLANK, ITEM
c$cppc shutdown
      END

      SUBROUTINE START
      IMPLICIT REAL*8 (A-H, O-Z)
      PARAMETER (N = 6)
      CHARACTER*5 NAMES(3)
      LOGICAL DONE
      INTEGER*2 SHORT
      COMPLEX*16 Z
      INTEGER COUNT
      COMMON /STATE/ X(N), SHORT, Y(N, 2), COUNT, NAMES, DONE, Z
      DO 10 I = 1, N
         X(I) = I / 3D0
         Y(I, 1) = -I
   10 Y(I, 2) = I * 0.25D0
      SHORT = -300
      COUNT = 70000
      NAMES(1) = 'one'
      NAMES(2) = 'two'
      NAMES(3) = 'three'
      DONE = .FALSE.
      Z = (0.1D0, -2D0)
      RETURN
      ENTRY STEP(K)
      X(K) = X(K) * 1.5D0 + Y(1, 2)
      Y(K, 1) = X(7 - K) - SHORT
      SHORT = SHORT * 2
      COUNT = COUNT - K
      NAMES(1 + K / 3)(1:2) = 'st'
      DONE = .NOT. DONE
      Z = Z * (0, 1)
      END

      include 'dying.inc'
