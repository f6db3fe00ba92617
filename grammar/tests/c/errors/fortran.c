      PROGRAM MATRIX
//    ~~~~~~~ error[C0202] unknown type name `PROGRAM`
      INTEGER I, J
      DO 10 I = 1, 10
10    CONTINUE
      END
