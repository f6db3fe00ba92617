C     What compilers take beyond the standards.
      OPTIONS /EXTEND_SOURCE
      SUBROUTINE OLD(X, N)
      IMPLICIT REAL*8 (A-H, O-Z), INTEGER*2 (I-N), CHARACTER*8(C)
      INTEGER N/5/, M(3)/1, 2, 3/
      BYTE BT
      REAL*4 R4*8(10)
      COMPLEX*16 Z
      DOUBLE COMPLEX ZZ
      LOGICAL*1 L
      PARAMETER K = 10, PI = 3.14
      POINTER (P, A(10)), (Q, B)
      AUTOMATIC T1
      STATIC T2
      VIRTUAL V(10)
      VOLATILE VV
      STRUCTURE /DATE/
        INTEGER*2 DAY, MONTH
        UNION
          MAP
            INTEGER YEAR
          END MAP
          MAP
            REAL CENTURY
          END MAP
        END UNION
        STRUCTURE /TIME/ T
          INTEGER HOUR
        END STRUCTURE
      END STRUCTURE
      RECORD /DATE/ D, DD(10)
      NAMELIST /IN/ N, M /OUT/ K
      D.DAY = 1
      DD(2).T.HOUR = D.MONTH + D.T.HOUR + 1
      TYPE *, N
      TYPE 100, N
      ACCEPT *, N
      ENCODE (10, 100, C1) N
      DECODE (10, 100, C1) N
      READ (5, IN)
      READ (5, NML=IN)
      CALL F(%VAL(N), %REF(M), %LOC(X), &10)
      L = N .XOR. M(1)
      I = 'FF'X + Z'FF' + X'FF'
      C1 = 8HHOLLER'S
      IF (N) 10, 20
 10   PAUSE 'WAIT'
 20   PAUSE
 100  FORMAT (I<N>)
      PRINT 100, N
      DO WHILE (N .LT. 5)
        N = N + 1
      END DO
      DO 30 WHILE (N .LT. 10)
 30   N = N + 1
      DO 40 I = 1, 10
        IF (I .EQ. 3) GOTO 40
 40   END DO
      RETURN
      ENTRY OLD2(X)
      ENTRY OLD3
      END
      REAL*8 FUNCTION F8(X)
      F8 = X
      END
      INTEGER FUNCTION NOARGS
      NOARGS = 1
      END
      PROGRAM MAIN(INPUT, OUTPUT, TAPE5=INPUT)
      END
