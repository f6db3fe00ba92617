C Exercises: what stands from column 73 on, blanks within words and numbers, no blanks at all,       SEQ00010
C and a statement that looks like a loop. Directives have nothing there.
      PROGRAM COLUMN                                                    00000030
      INTEGER I, K, A(5)                                                00000040
      REAL DO10I                                                        DO I=1,9
      DO 1 0 I = 1 , 5                                                  00000060
   10 A(I)=I*1 0                                                        00000070
      D O 10I = 1.10                                                    00000080
C$CPPC INIT
C$CPPC REGISTER(A, DO10I)
      DO20I=1,6                                                         00000110
C$CPPC CHECKPOINT
      DO30K=2,5                                                         00000130
      A(K)=A(K)+A(K-1)                                                  00000140
   30 CONTINUE                                                          00000150
      IF(A(5).GT.400)THEN                                               00000160
      CA LL RED UCE(A, 5, I)                                            00000170
      ELSEIF(A(5).GT.200)THEN                                           00000180
      GO TO 2 0                                                         00000190
      ENDIF                                                             00000200
      D O 10I = D O 10I + 0.5                                           00000210
   20 PRINT'(I3,5I7,F8.3)',I,A,DO10I                                    00000220
C$CPPC SHUTDOWN
      END                                                               00000240
      SUBROUTINEREDUCE(A,N,I)                                           00000250
      INTEGERN,I,A(N),K                                                 00000260
      DO10K=1,N                                                         00000270
   10 A(K)=MOD(A(K),100)+I                                              00000280
C$CPPC CHECKPOINT
      A(1)=A(1)+1                                                       00000300
      ENDSUBROUTINE                                                     00000310
