! verdict: safe
! Processes have parts of different sizes. What they compute there differs, and what they agree on afterwards does not.
! mutation: call mpi_bcast(norm, 1, mpi_double_precision, 0, mpi_comm_world, ierr) => continue => not safe
! mutation: mpi_allreduce(part, norm, 1, mpi_double_precision, mpi_sum, => mpi_reduce(part, norm, 1, mpi_double_precision, mpi_sum, 0, => safe
! mutation: if (norm < 0.001d0) exit => if (part < 0.001d0) exit => not safe
! mutation: if (norm < 0.001d0) exit => if (points > 9000) exit => not safe
! mutation: if (norm < 0.001d0) exit => if (j > 50) exit => not safe
! mutation: if (norm < 0.001d0) exit => if (m > 5) exit => safe
! mutation: do m = 1, 3 => do m = 1, mod(j, 7) => not safe
program parts
  use mpi
  implicit none
  integer :: rank, size, first, last, step, i, j, k, m, points, ierr
  integer :: status(mpi_status_size)
  double precision :: u(10, 64, 64), part, norm, edge
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  first = 1
  last = 64
  if (rank == 0) first = 2
  if (rank == size - 1) last = 63
  u = rank
  do step = 1, 100
    !$cppc checkpoint
    do m = 1, 3
      edge = u(m, 1, 1)
      call mpi_sendrecv_replace(edge, 1, mpi_double_precision, mod(rank + 1, size), m, mod(rank + size - 1, size), m, &
        mpi_comm_world, status, ierr)
      u(m, 1, 1) = edge
    end do
    part = 0
    points = 0
    do k = 2, 63
      do j = first, last
        do i = first, last
          do m = 1, 5
            part = part + u(m, i, j) * k
            points = points + 1
          end do
        end do
      end do
    end do
    call mpi_allreduce(part, norm, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    do m = 1, 5
      norm = norm / points
    end do
    norm = sqrt(norm)
    call mpi_bcast(norm, 1, mpi_double_precision, 0, mpi_comm_world, ierr)
    if (norm < 0.001d0) exit
  end do
  call mpi_finalize(ierr)
end program
