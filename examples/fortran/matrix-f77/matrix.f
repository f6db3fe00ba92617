C     The eigenvalues of a symmetric positive definite matrix, on up to 12 MPI processes: the program
C     that the papers show (Fig. 5), in FORTRAN 77.
C
C         mpirun -n 4 ./matrix
C
C     Jacobi's method, one-sided: pairs of columns are turned until they are orthogonal to each
C     other; in the end the length of a column is an eigenvalue. Each process holds two blocks of
C     columns. After each round the blocks move on, as players do in a tournament, so that in one
C     iteration every block meets every other.
      PROGRAM MATRIX
      INCLUDE 'mpif.h'
      INCLUDE 'matrix.inc'
      INTEGER RANK, NPROC, RING, IERR, I, J, K, NITER, ITER, ROUND
      DOUBLE PRECISION WORST, FAR, LENGTH(MAXC), ALL(N + 24), DOT, ELEM
C     The matrix is known by a formula.
      ELEM(I, J) = DBLE(MIN(I, J))

      CALL MPI_INIT(IERR)
C$CPPC INIT
      NITER = 9

C$CPPC EXECUTE
C     Inter-process communication initialization
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SPLIT(MPI_COMM_WORLD, 0, RANK, RING, IERR)
      CALL MPI_COMM_RANK(RING, RANK, IERR)
      CALL MPI_COMM_SIZE(RING, NPROC, IERR)
C$CPPC END EXECUTE

C     Matrix data, followed by columns of zeros where there are more columns than needed
      NCOL = 2 * ((N + 2 * NPROC - 1) / (2 * NPROC))
      DO 10 K = 1, NCOL
      J = RANK * NCOL + K
      DO 10 I = 1, N
        A(I, K) = 0.0D0
        IF (J .LE. N) A(I, K) = ELEM(I, J)
   10 CONTINUE

C$CPPC REGISTER(ITER, NITER, NCOL, A)
      DO 40 ITER = 1, NITER
C       MOVE fills B before it uses it, which CPPC cannot know.
C$CPPC ALLOW(C0701, B)
C$CPPC CHECKPOINT
C       Matrix diagonalization
        WORST = 0.0D0
        DO 30 ROUND = 1, 2 * NPROC - 1
          CALL TURNAL(FAR)
          WORST = MAX(WORST, FAR)
          CALL MOVE(RANK, NPROC, RING)
   30   CONTINUE
        CALL MPI_ALLREDUCE(WORST, FAR, 1, MPI_DOUBLE_PRECISION, MPI_MAX,
     &    RING, IERR)
        IF (RANK .EQ. 0) WRITE (*, 900) ITER, FAR
   40 CONTINUE

C$CPPC UNREGISTER(ITER, NITER)
C$CPPC CHECKPOINT

C     Diagonalized matrix output
      DO 50 K = 1, NCOL
   50   LENGTH(K) = SQRT(DOT(A(1, K), A(1, K)))
      CALL MPI_GATHER(LENGTH, NCOL, MPI_DOUBLE_PRECISION, ALL, NCOL,
     &  MPI_DOUBLE_PRECISION, 0, RING, IERR)
      IF (RANK) 70, 55, 70
   55 CALL SORT(ALL, NCOL * NPROC)
      DO 60 K = 1, N
   60   WRITE (*, 910) K, ALL(K)
   70 CALL MPI_COMM_FREE(RING, IERR)
C$CPPC SHUTDOWN
      CALL MPI_FINALIZE(IERR)
  900 FORMAT ('iteration ', I2, '  furthest from orthogonal ', ES22.15)
  910 FORMAT ('eigenvalue ', I2, 2X, ES22.15)
      END

C     Turns all pairs of the columns that this process holds; FAR is how far from orthogonal the
C     worst of them was.
      SUBROUTINE TURNAL(FAR)
      INCLUDE 'matrix.inc'
      INTEGER P, Q, K
      DOUBLE PRECISION FAR, AA, BB, AB, COT, TANG, C, S, OLD, DOT
      FAR = 0.0D0
      DO 40 P = 1, NCOL
      DO 40 Q = P + 1, NCOL
        AB = DOT(A(1, P), A(1, Q))
        IF (AB) 10, 40, 10
   10   AA = DOT(A(1, P), A(1, P))
        BB = DOT(A(1, Q), A(1, Q))
        COT = (BB - AA) / (2.0D0 * AB)
        TANG = SIGN(1.0D0, COT) / (ABS(COT) + SQRT(1.0D0 + COT * COT))
        C = 1.0D0 / SQRT(1.0D0 + TANG * TANG)
        S = C * TANG
        DO 30 K = 1, N
          OLD = A(K, P)
          A(K, P) = C * OLD - S * A(K, Q)
          A(K, Q) = S * OLD + C * A(K, Q)
   30   CONTINUE
        FAR = MAX(FAR, ABS(AB) / SQRT(AA * BB))
   40 CONTINUE
      END

C     Moves the blocks on by one place: upper blocks to the right, lower ones to the left; the
C     first upper block stays where it is.
      SUBROUTINE MOVE(RANK, NPROC, RING)
      INCLUDE 'mpif.h'
      INCLUDE 'matrix.inc'
      INTEGER RANK, NPROC, RING, HALF, CELLS, FROM, TO, IERR, I, K
      INTEGER STATUS(MPI_STATUS_SIZE)
      HALF = NCOL / 2
      CELLS = HALF * N
      IF (NPROC .EQ. 1) RETURN
C     What goes to the right is the upper block, but from the first process the lower one.
      TO = RANK + 1
      IF (RANK .EQ. NPROC - 1) TO = MPI_PROC_NULL
      FROM = RANK - 1
      IF (RANK .EQ. 0) FROM = MPI_PROC_NULL
      K = 1
      IF (RANK .EQ. 0) K = HALF + 1
      CALL MPI_SENDRECV(A(1, K), CELLS, MPI_DOUBLE_PRECISION, TO, 0,
     &  B(1, 1), CELLS, MPI_DOUBLE_PRECISION, FROM, 0, RING, STATUS,
     &  IERR)
      CALL MPI_SENDRECV(A(1, HALF + 1), CELLS, MPI_DOUBLE_PRECISION,
     &  FROM, 1, B(1, HALF + 1), CELLS, MPI_DOUBLE_PRECISION, TO, 1,
     &  RING, STATUS, IERR)
      DO 30 K = 1, HALF
      DO 30 I = 1, N
        IF (RANK .EQ. NPROC - 1) B(I, HALF + K) = A(I, K)
        IF (RANK .GT. 0) A(I, K) = B(I, K)
   30   A(I, HALF + K) = B(I, HALF + K)
      END

      DOUBLE PRECISION FUNCTION DOT(X, Y)
      INCLUDE 'matrix.inc'
      DOUBLE PRECISION X(N), Y(N)
      INTEGER K
      DOT = 0.0D0
      DO 10 K = 1, N
   10   DOT = DOT + X(K) * Y(K)
      END

C     The largest comes first.
      SUBROUTINE SORT(X, M)
      INTEGER M, I, J
      DOUBLE PRECISION X(M), SWAP
      DO 20 I = 1, M - 1
      DO 20 J = M, I + 1, -1
        IF (X(J) - X(J - 1)) 20, 20, 10
   10   SWAP = X(J)
        X(J) = X(J - 1)
        X(J - 1) = SWAP
   20 CONTINUE
      END
