! Exercises: init in a procedure that is called from the main program, work before it that runs again,
! and registers made where init is.
program init_below
  implicit none
  real(8) :: u(5)
  integer :: i, n
  n = 5
  u = 2
  call start(u, n)
  n = n + 2
  !$cppc register(i, u, n)
  do i = 1, n
    !$cppc checkpoint
    u = u * 0.5d0 + cshift(u, 1) + i
    print '(i2, 5(1x, z16.16))', i, u
  end do
  call finish()
contains
  subroutine start(v, count)
    real(8), intent(inout) :: v(:)
    integer, intent(inout) :: count
    integer :: k
    v(1) = 7
    !$cppc init
    !$cppc register(v, count)
    do k = 1, 2
      !$cppc checkpoint
      v(k) = v(k) + k
      count = count - 1
    end do
  end subroutine start
  subroutine finish()
    !$cppc shutdown
  end subroutine finish
end program init_below
