C Statements that share a line stay in their columns, because the columns after 72 are no part of them.
      PROGRAM LINES
      REAL X, Y
      INTEGER I                                                         LINE0001
      CHARACTER*12 F
      LOGICAL L
      X = 1.; L = .TRUE.
      IF (L) OPEN (7,FILE='g;h');  OPEN (8,FILE='b.txt')                LINE0002
      DO 10 I=1,9; X = X*1.1
!$cppc checkpoint
      WRITE (F,'(''s'',I2.2,''.dat'')') I
      Y = X; OPEN (10,FILE=F,STATUS='NEW'); WRITE (10,*) X,             LINE0003
     &    'a;b
     &c'; CLOSE (10); WRITE (7,*) I; WRITE (8,*) I*I                    LINE0004
   10 CONTINUE
      PRINT *, X; END
