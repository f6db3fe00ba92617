! The eigenvalues of a symmetric positive definite matrix, on any number of MPI processes: the program
! that the papers show (Fig. 5), in Fortran of today.
!
!     mpirun -n 4 ./matrix [SIZE [ITERATIONS]]
!
! Jacobi's method, one-sided: pairs of columns are turned until they are orthogonal to each other; in
! the end the length of a column is an eigenvalue. Each process holds two blocks of columns. After
! each round the blocks move on, as players do in a tournament, so that in one iteration every block
! meets every other.
!
! compilers: gfortran
module columns
  use mpi
  implicit none
  private
  public :: matrix, make, diagonalize, lengths

  integer, parameter :: wp = kind(1d0)
  integer :: ring, rank, processes
  real(wp), allocatable :: matrix(:, :)   ! the columns of this process

contains

  ! Distributes the matrix whose element in row i, column j is the smaller of i and j.
  subroutine make(size)
    integer, intent(in) :: size
    integer :: i, j, own, error

    !$cppc execute
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_split(MPI_COMM_WORLD, 0, rank, ring, error)
    call MPI_Comm_size(ring, processes, error)
    !$cppc end execute

    own = 2 * ((size + 2 * processes - 1) / (2 * processes))
    allocate (matrix(size, rank * own + 1:(rank + 1) * own), source=0.0_wp)
    do j = lbound(matrix, 2), min(size, ubound(matrix, 2))
      matrix(:, j) = [(real(min(i, j), wp), i = 1, size)]
    end do
    !$cppc register(matrix)
  end subroutine make

  subroutine diagonalize(iterations)
    integer, intent(in) :: iterations
    integer :: iteration, turns, error
    real(wp) :: worst

    do iteration = 1, iterations
      !$cppc checkpoint
      worst = 0
      do turns = 1, 2 * processes - 1
        call turn_all()
        call move_blocks()
      end do
      call MPI_Allreduce(MPI_IN_PLACE, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, ring, error)
      if (rank == 0) print '(a, i2, a, es22.15)', 'iteration ', iteration, '  furthest from orthogonal ', worst
    end do

  contains

    ! Turns all pairs of the columns that this process holds.
    subroutine turn_all()
      integer :: p, q
      do p = lbound(matrix, 2), ubound(matrix, 2)
        do q = p + 1, ubound(matrix, 2)
          worst = max(worst, turned(matrix(:, p), matrix(:, q)))
        end do
      end do
    end subroutine turn_all
  end subroutine diagonalize

  ! Turns two columns until they are orthogonal; gives how far from it they were.
  real(wp) function turned(a, b)
    real(wp), intent(inout) :: a(:), b(:)
    real(wp) :: aa, bb, ab, cotangent, tangent, cosine, old(size(a))
    aa = dot_product(a, a)
    bb = dot_product(b, b)
    ab = dot_product(a, b)
    turned = 0
    if (ab == 0) return
    cotangent = (bb - aa) / (2 * ab)
    tangent = sign(1.0_wp, cotangent) / (abs(cotangent) + sqrt(1 + cotangent**2))
    cosine = 1 / sqrt(1 + tangent**2)
    old = a
    a = cosine * (old - tangent * b)
    b = cosine * (tangent * old + b)
    turned = abs(ab) / sqrt(aa * bb)
  end function turned

  ! Moves the blocks on by one place: upper blocks to the right, lower ones to the left; the first upper
  ! block stays where it is.
  subroutine move_blocks()
    real(wp), dimension(size(matrix, 1), size(matrix, 2) / 2) :: upper, lower, from_left, from_right
    integer :: half, left, right, error
    if (processes == 1) return
    half = size(matrix, 2) / 2
    upper = matrix(:, :lbound(matrix, 2) + half - 1)
    lower = matrix(:, lbound(matrix, 2) + half:)
    left = merge(MPI_PROC_NULL, rank - 1, rank == 0)
    right = merge(MPI_PROC_NULL, rank + 1, rank == processes - 1)
    from_left = upper
    from_right = upper
    if (rank == 0) upper = lower
    call MPI_Sendrecv(upper, size(upper), MPI_DOUBLE_PRECISION, right, 0, from_left, size(upper), &
      MPI_DOUBLE_PRECISION, left, 0, ring, MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv(lower, size(lower), MPI_DOUBLE_PRECISION, left, 1, from_right, size(lower), &
      MPI_DOUBLE_PRECISION, right, 1, ring, MPI_STATUS_IGNORE, error)
    matrix(:, :lbound(matrix, 2) + half - 1) = from_left
    matrix(:, lbound(matrix, 2) + half:) = from_right
  end subroutine move_blocks

  ! The lengths of all columns, the longest first, on the first process; nothing on the others.
  function lengths() result(all)
    real(wp), allocatable :: all(:)
    real(wp) :: own(size(matrix, 2)), swap
    integer :: k, place, error
    own = norm2(matrix, 1)
    allocate (all(merge(size(own) * processes, 0, rank == 0)))
    call MPI_Gather(own, size(own), MPI_DOUBLE_PRECISION, all, size(own), MPI_DOUBLE_PRECISION, 0, ring, error)
    do k = 1, size(all) - 1
      place = k - 1 + maxloc(all(k:), 1)
      swap = all(k)
      all(k) = all(place)
      all(place) = swap
    end do
    call MPI_Comm_free(ring, error)
  end function lengths
end module columns

program eigenvalues
  use mpi
  use columns, only: matrix, make, diagonalize, lengths
  implicit none
  real(kind(1d0)), allocatable :: longest(:)
  integer :: size, iterations, error, k

  call MPI_Init(error)
  size = argument(1, otherwise=24)
  iterations = argument(2, otherwise=9)
  !$cppc init
  call make(size)
  call diagonalize(iterations)
  !$cppc checkpoint

  longest = lengths()
  do k = 1, min(size, ubound(longest, 1))
    print '(a, i2, 2x, es22.15)', 'eigenvalue ', k, longest(k)
  end do
  !$cppc unregister(matrix)
  deallocate (matrix)
  !$cppc shutdown
  call MPI_Finalize(error)

contains

  integer function argument(number, otherwise)
    integer, intent(in) :: number, otherwise
    character(len=20) :: word
    integer :: status
    call get_command_argument(number, word)
    read (word, *, iostat=status) argument
    if (status /= 0) argument = otherwise
  end function argument
end program eigenvalues
