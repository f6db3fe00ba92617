C     A comment
      PROGRAM MAIN
c another; 'one
*     and one more
      INTEGER A , B                                                     00000010
! and another
10    A = 1
 2 0  B = A +                                                           SEQUENCE
C between
     &    2 ! behind

     1    + 3
      A = 1 ; B = 2; ; 
     0C = 3
      IF (A .EQ. 1)
     +GO TO 10
      CALL S('IT''S', "a!b", 'a;b')
      C = 'ab
     &cd'
99999 CONTINUE
  ! far in
      D = 5HA!B;C + 1
      END
