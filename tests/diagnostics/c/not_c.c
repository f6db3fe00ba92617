      PROGRAM HELLO
//            ~~~~~ error[C????] 'HELLO'
      PRINT *, 'HELLO, WORLD'
      END
