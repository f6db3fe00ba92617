! Several calls pass allocatables of the host to an internal procedure. The host registers them: a register in the internal
! procedure would come after the sizes of its local variables.
program host
  implicit none
  integer :: k
  real :: total
  real, allocatable :: a(:), b(:)
  allocate (a(6), source=1.0)
  allocate (b(4), source=2.0)
  total = 0
  do k = 1, 5
    call work(a, total)
    call work(b, total)
  end do
  print *, total, sum(a), sum(b)
contains
  subroutine work(x, total)
    real, intent(inout), contiguous :: x(:)
    real, intent(inout) :: total
    real :: own(size(x))
    integer :: j
    own = 0
    do j = 1, 3
!$cppc checkpoint
      own = own + x
      x = 0.5 * x + j
    end do
    total = total + sum(own)
  end subroutine work
end program host
