c     passes: 7
c     processes: 2
c     Labelled loops, and data in a common block.
      subroutine step(k)
      integer k, i
      double precision a(100)
      common /state/ a
      do 10 i = 2, 100
   10 a(i) = 0.5d0 * (a(i) + a(i-1)) + k
      end

      program steps
      include 'mpif.h'
      integer me, ierr, k, m
      double precision a(100), s, t
      common /state/ a
      call mpi_init(ierr)
      call mpi_comm_rank(mpi_comm_world, me, ierr)
      do 20 k = 1, 100
         a(k) = me + k
   20 continue
      do 40 k = 1, 7
         do 30 m = 1, 20
            call step(m)
   30    continue
         s = a(100)
         call mpi_allreduce(s, t, 1, mpi_double_precision, mpi_sum,
     &        mpi_comm_world, ierr)
         write(*,*) me, k, s, t
         flush(6)
   40 continue
      call mpi_finalize(ierr)
      end
