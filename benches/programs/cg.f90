! Conjugate gradients on a sparse matrix, with the checkpoint in the loop over the iterations, and the
! matrix in a module. Its size is read, as that of programs is: where the compiler knows it, the memory that a
! restart allocates with the bounds of the state file costs that knowledge.
module sparse
  implicit none
  integer, parameter :: wp = kind(1d0)
  integer, allocatable :: first(:), column(:)
  real(wp), allocatable :: value(:)
contains
  ! The five-point Laplacian of a square of side * side points, as compressed rows.
  subroutine build(side)
    integer, intent(in) :: side
    integer :: i, j, row, entries
    allocate (first(side * side + 1), column(side * side * 5), value(side * side * 5))
    entries = 1
    do i = 1, side
      do j = 1, side
        row = (i - 1) * side + j
        first(row) = entries
        if (i > 1) call put(row - side, -1.0_wp)
        if (j > 1) call put(row - 1, -1.0_wp)
        call put(row, 4.0_wp)
        if (j < side) call put(row + 1, -1.0_wp)
        if (i < side) call put(row + side, -1.0_wp)
      end do
    end do
    first(side * side + 1) = entries
  contains
    subroutine put(where, what)
      integer, intent(in) :: where
      real(wp), intent(in) :: what
      column(entries) = where
      value(entries) = what
      entries = entries + 1
    end subroutine put
  end subroutine build

  subroutine multiply(p, q)
    real(wp), intent(in) :: p(:)
    real(wp), intent(out) :: q(:)
    integer :: k, e
    real(wp) :: total
    do k = 1, size(p)
      total = 0
      do e = first(k), first(k + 1) - 1
        total = total + value(e) * p(column(e))
      end do
      q(k) = total
    end do
  end subroutine multiply
end module sparse

program conjugate_gradients
  use sparse
  implicit none
  integer, parameter :: iterations = 3000
  character(len=3) :: settings = '200'
  integer :: side, n
  real(wp), allocatable :: x(:), r(:), p(:), q(:)
  real(wp) :: rho, alpha, old
  integer :: it, k

  read (settings, *) side
  n = side * side
  !$cppc init
  call build(side)
  allocate (x(n), r(n), p(n), q(n))
  x = 0
  r = [(1 + mod(k, 7), k = 1, n)]
  p = r
  rho = dot_product(r, r)
  !$cppc register(first, column, value, x, r, p, q, rho)
  do it = 1, iterations
    !$cppc checkpoint
    call multiply(p, q)
    alpha = rho / dot_product(p, q)
    x = x + alpha * p
    r = r - alpha * q
    old = rho
    rho = dot_product(r, r)
    p = r + rho / old * p
  end do
  print '(2(1x, z16.16))', rho, x(n / 2)
  !$cppc shutdown
end program conjugate_gradients
