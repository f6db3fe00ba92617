! reports: u
program init_below
  implicit none
  real(8) :: u(5)
  u = 2
  call start(u)
  print *, sum(u)
  !$cppc shutdown
contains
  subroutine start(v)
    real(8), intent(inout) :: v(:)
    integer :: k
    v(1) = 7
    !$cppc init
    do k = 1, 2
      !$cppc checkpoint
      v(1) = v(1) + k
    end do
  end subroutine start
end program init_below
