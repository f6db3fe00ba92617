*     The checkpoint uses no module.
      SUBROUTINE PAUSE_HERE(N)
      INTEGER N
      N = N + 1
C$CPPC CHECKPOINT
      N = N + 1
      END
