c Exercises: communicators that are made in a loop and held in an array, one of them given back, a
c derived datatype, made again by execute blocks in a restart.
c
c processes: 4
      program comms
      include 'mpif.h'
      integer rank, size, ierr, i, team(3), colour, turn, row, sum1
      integer n, field(8, 2), where
      call mpi_init(ierr)
      call mpi_comm_rank(mpi_comm_world, rank, ierr)
      call mpi_comm_size(mpi_comm_world, size, ierr)
c$cppc init
      do 10 i = 1, 3
        colour = rank / 2 ** (i - 1)
        if (i .eq. 2) colour = mod(rank, 2)
c$cppc execute capture(i, colour)
        call mpi_comm_split(mpi_comm_world, colour, rank, team(i), ierr)
c$cppc end execute
   10 continue
c$cppc execute
      call mpi_type_vector(4, 1, 2, mpi_integer, row, ierr)
      call mpi_type_commit(row, ierr)
c$cppc end execute
      do 20 i = 1, 8
        field(i, 1) = rank * 100 + i
   20   field(i, 2) = 0
      n = rank
c$cppc register(n, field, turn)
      do 30 turn = 1, 6
c$cppc checkpoint
        i = mod(turn, 3) + 1
        call mpi_allreduce(n, sum1, 1, mpi_integer, mpi_sum,
     &    team(i), ierr)
        n = sum1 + rank + field(1, 2)
        where = mod(rank + 1, size)
        call mpi_sendrecv(field(1, 1), 1, row, where, turn, field(2, 2),
     &    1, row, mod(rank + size - 1, size), turn, mpi_comm_world,
     &    mpi_status_ignore, ierr)
        field(1, 2) = field(2, 2) + field(8, 2)
        field(1, 1) = field(1, 1) + n
        print '(2i3, 3i9)', rank, turn, n, field(4, 2), field(1, 2)
   30 continue
      do 40 i = 1, 3
   40   call mpi_comm_free(team(i), ierr)
      call mpi_type_free(row, ierr)
c$cppc shutdown
      call mpi_finalize(ierr)
      end
