C An OPEN statement on a condition gets a block of its own, unless it ends a loop.
      PROGRAM LOOP
      S = 0
      DO 10 I = 1, 9
C$CPPC CHECKPOINT
      S = S*0.5 + I
      CALL NOTE (I)
      IF (I .EQ. 2) OPEN (44,
     &  FILE='LOOP.TXT', STATUS='REPLACE')
      IF (I .GT. 2) WRITE (44, *) I, S
   10 IF (I .EQ. 9) CALL EXIT (0)
      END
      SUBROUTINE NOTE (I)
      IF (I .EQ. 4) OPEN (45, FILE='NOTE.TXT'); J = I
      IF (I .EQ. 5)                                                 OPEN
     & (46, FILE='NEXT.TXT')
      WRITE (45, *) I, J
      WRITE (46, *) I
      END
