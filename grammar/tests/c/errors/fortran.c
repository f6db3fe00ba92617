      PROGRAM MATRIX
//    ~~~~~~~
      INTEGER I, J
      DO 10 I = 1, 10
10    CONTINUE
      END
