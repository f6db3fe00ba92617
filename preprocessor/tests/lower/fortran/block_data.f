      BLOCK DATA
      COMMON /CONST/ PI, N
      DATA PI /3.14/, N /5/
      END
      SUBROUTINE SHOW
      COMMON /CONST/ PI, N
      INTEGER COUNT
      SAVE COUNT
      DATA COUNT /0/
      COUNT = COUNT + N
      PRINT *, PI, COUNT
      STOP
      END
