C Cray pointers: the address differs in each run.
      PROGRAM CRAY
      REAL*8 A(10), B(5), S
      POINTER (IP, B)
C$CPPC INIT
      A = 1
      IP = LOC(A(3))
      S = 0
C$CPPC REGISTER(A, S, IP)
c                     ~~ error[C0424] `IP` cannot be saved
C$CPPC REGISTER(B)
c               ~ error[C0424] `B` cannot be saved
      DO 10 K = 1, 9
C$CPPC CHECKPOINT
      B(MOD(K, 5) + 1) = B(MOD(K, 5) + 1)*1.5 + K
   10 S = S*0.5 + B(2)
      PRINT *, S, A
C$CPPC SHUTDOWN
      END
