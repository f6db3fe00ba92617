C     Statements whose first words mean nothing by themselves, blanks left out where they may be.
      SUBROUTINE DISPUT(N,*,*)
      INTEGER*4A
      REAL*8D1,E2,H
      REAL*8 HOURS
      CHARACTER*10C,C2*20
      CHARACTER*(*)CPAR
      DOUBLEPRECISIONX,DP
      PARAMETER(CPAR='A B')
      DIMENSIONIF(10),FORMAT(10),READ(10),W(10),DO(3)
      REALDO10I,CALLX,ENDDO,THEN,GOTO10
      INTEGERLAB
      LOGICALL1,EQ
      DATAX/1.D0/,W/10*0.0/,(READ(I),I=1,10)/10*1.0/
      DO10I=1,10
      DO10J=1.10
      IF(I)=1
 10   CONTINUE
      DO20,I=1,N
      DO20J=I,N
      W(I)=J
 20   W(J)=I
      DO10I=1.10
      FORMAT(I)=3
      READ(I)=4
      CALLX=5
      ENDDO=6
      THEN=7
      DO(1)=8
      IF(I.EQ.1)THEN=3
      IF(I.EQ.1)THEN
      A=1
      ELSEIF(I.EQ.2.OR.X.EQ.1.E2)THEN
      A=2
      ELSE
      A=3
      ENDIF
      IF(A)30,40,50
 30   GOTO(40,50),A
 40   GO TO 50
 50   ASSIGN 60 TO LAB
      ASSIGN60TOLAB
      GOTOLAB
      GOTOLAB,(60,50)
 60   CALLFOO
      CALLFOO(1,*30,*40)
      GOTO10=2.
      IF(A.GT.0)GOTO50
      IF(A.GT.0)RETURN1
      PRINT*,'A(',A
      PRINT100,A,(W(I),I=1,3)
      READ100,A
      READ*,A
      READ(5,*)A
      READ(5,100,END=30,ERR=40)A,((W(I),I=1,3),J=1,2)
      WRITE(6,'(A)')'X'//'Y'
      WRITE(*,*)(A+1)*2,(1.0,2.0),-X**2
      REWIND5
      REWIND(5)
      ENDFILE5
      END FILE(UNIT=5)
 100  FORMAT(1X,5HABC'(,'D)',/)
      L1=A.EQ.1.AND..NOT.X.LT..5.OR.L1.NEQV..TRUE.
      X=-A**2*3**2**D1+H/2.D0-1.
      STOP1
      END
      REALFUNCTIONFOOS(X)
      FOOS=X
      END
      DOUBLE PRECISION FUNCTION G(X)
      REAL X
      F(Y)=Y**2
      G=F(X)
      RETURN
      END
      BLOCKDATA
      COMMON/AB/A,B(10)/CD/C,//D,E
      DATAA/1./
      END
      BLOCK DATA B D
      END
      PROGRAMPROG
      REALFUNCTIONY(10)
      FUNCTIONY(1)=1
      END
