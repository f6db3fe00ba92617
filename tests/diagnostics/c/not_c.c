      PROGRAM HELLO
//    ~~~~~~~ error[C0202] unknown type name `PROGRAM`
      PRINT *, 'HELLO, WORLD'
      END
