! The register in the procedure replaces the one before the call. So a restart restores `m` after it has evaluated the size.
! reports: m
module sizes
  implicit none
  integer :: m = 1
contains
  subroutine work()
    real :: a(m)
    integer :: i
    !$cppc register(m)
    do i = 1, 3
      !$cppc checkpoint
      a = i
      print *, a
    end do
  end subroutine work
end module sizes

program sizes_registered_again
  use sizes
  implicit none
  !$cppc init
  m = 5
  !$cppc register(m)
  call work()
  !$cppc shutdown
end program sizes_registered_again
