c Exercises: messages around a ring between checkpoints, with mpif.h, buffers in COMMON and a
c subroutine that sends, receives and has the checkpoint.
c
c processes: 4
      program ring
      include 'mpif.h'
      integer n
      parameter (n = 6)
      integer rank, size, ierr, i, turn
      real*8 token(n), total
      common /buffer/ token
      call MPI_INIT(ierr)
      call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
      call mpi_comm_size(MPI_COMM_WORLD, size, ierr)
c$cppc init
      do 10 i = 1, n
   10   token(i) = rank * 10 + i
      total = 0
c$cppc register(token, total, turn)
      do 20 turn = 1, 6
        call pass(rank, size)
        do 15 i = 1, n
   15     total = total + token(i)
        token(mod(turn, n) + 1) = total * 0.5d0
        print '(2i3, 2(1x, z16.16))', rank, turn, total, token(n)
   20 continue
c$cppc shutdown
      call mpi_finalize(ierr)
      end

      subroutine pass(rank, size)
      include 'mpif.h'
      integer rank, size, ierr, status(MPI_STATUS_SIZE), n, k
      parameter (n = 6)
      real*8 token(n), copy(n)
      common /buffer/ token
      do 10 k = 1, n
   10   copy(k) = token(k)
c$cppc register(copy)
c$cppc checkpoint
      call mpi_sendrecv(copy, n, MPI_DOUBLE_PRECISION,
     &  mod(rank + 1, size), 7, token, n, MPI_DOUBLE_PRECISION,
     &  mod(rank + size - 1, size), 7, MPI_COMM_WORLD, status, ierr)
      end
