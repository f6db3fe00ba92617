! Sizes of local arrays that a restart computes again, with the values of the checkpoint.
module sizes
  implicit none
  integer :: n = 3, m = 4, fixed = 5
  real :: grid(8)
contains
  subroutine grow()
    m = m + 1
  end subroutine grow
end module sizes
program size_that_changes
  use sizes
  implicit none
  integer :: block_size, own = 2
  real :: u(20)
  common /limits/ block_size
  block_size = 3
  read *, fixed
  !$cppc init
  !$cppc register(n, m, u, own, /limits/)
  call work(u, 4)
  call in_common(u)
  call inner()
  !$cppc shutdown
contains
  subroutine work(v, k)
    integer, intent(in) :: k
    real :: v(n)
!             ~ warning[C0463] the size of `v` depends on `n`, which may differ in a restart
    real :: a(k), b(fixed), c(size(grid)), d(2, m + 1)
!                                               ~~~~~ warning[C0463] the size of `d` depends on `m`, which may differ in a restart
    a = 1; b = 2; c = 3; d = 4
    !$cppc register(a, b, c, d)
    n = n + 1
    grid = 1
    call grow()
    !$cppc checkpoint
    v(1) = sum(a) + sum(b) + sum(c) + sum(d)
  end subroutine work
  subroutine inner()
    real :: e(own)
!             ~~~ warning[C0463] the size of `e` depends on `own`, which may differ in a restart
    e = 5
    !$cppc register(e)
    call set(own)
    !$cppc checkpoint
    u(2) = e(1)
  end subroutine inner
  subroutine set(value)
    integer, intent(inout) :: value
    value = value + 1
  end subroutine set
end program size_that_changes
subroutine in_common(v)
  implicit none
  integer :: length
  real :: v(20), f(length)
!                  ~~~~~~ warning[C0463] the size of `f` depends on `length`, which may differ in a restart
  common /limits/ length
  f = 6
  !$cppc register(f)
  length = length - 1
  !$cppc checkpoint
  v(3) = f(1)
end subroutine in_common
