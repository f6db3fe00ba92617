      PROGRAM HELLO
    //~~~~~~~ error[C0202] 'PROGRAM'
      PRINT *, 'HELLO, WORLD'
      END
