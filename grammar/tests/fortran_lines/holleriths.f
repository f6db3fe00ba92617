      SUBROUTINE S
      INTEGER*4 H, HALF*2
      REAL*8 HELP ! a real
      CHARACTER*2 HC ! two
      DATA I, J / 4HA!'B, 2*3H'!' /
      DO 5 H = 1, 3 ! a loop
    5 CONTINUE
      CALL P(10H 12345678
     1)
      CALL P(80HThis is a Hollerith constant that goes on in the line behind and e
     1nds right here!  !) ! not here
      CALL P(3H!  ! a comment, for the constant is what stands before
     1)
      CALL P(3HAB
     1)
 10   FORMAT(1X5HA!B;', I5H' !')
 20   FORMAT(10HSHORT
      END
