      PROGRAM NOEND
      S = 'AB
     &CD'

      END