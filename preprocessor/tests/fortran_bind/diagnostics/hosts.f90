subroutine outer(n, a)
  integer :: n, x, m
  real :: a(*)
  integer, save :: kept
  x = n
  m = n
  !$cppc register(m)
  call inner
contains
  subroutine inner
    !$cppc register(x)
!                   ~ error[C0455] `x` belongs to `outer`
    !$cppc register(kept)
    !$cppc checkpoint
    x = x + 1
  end subroutine inner
end subroutine outer
program hosts
  integer :: mine
  !$cppc init
  call outer(3)
  call own
  !$cppc shutdown
contains
  subroutine own
    !$cppc register(mine)
  end subroutine own
end program hosts
