! An argument whose value no variable can be declared for, and one that consists of values that are noted.
program argument_again
  implicit none
  type pair
    integer :: n
    real(8) :: x
  end type pair
  type(pair) :: p
  integer :: i
  p = pair(1, 2d0)
  !$cppc init
  !$cppc register(p)
  do i = 1, 3
    call add(twice(p))
!            ~~~~~~~~ warning[C0512] this argument is evaluated again on a restart
    call add((p))
!            ~~~ warning[C0512] this argument is evaluated again on a restart
!             ~ warning[C0512] this argument is evaluated again on a restart
    call add(pair(i, 0.5d0 * i))
    call add(p)
  end do
  !$cppc shutdown
contains
  subroutine add(q)
    type(pair), intent(in) :: q
    !$cppc checkpoint
    p%n = p%n + q%n
  end subroutine add

  function twice(q)
    type(pair), intent(in) :: q
    type(pair) :: twice
    twice = pair(2 * q%n, q%x)
  end function twice
end program argument_again
