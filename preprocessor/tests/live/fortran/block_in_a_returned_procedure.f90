! A restart replays the block after `make` has returned, and the registers of its local variables have ended.
! `total` is registered, but the main program changes it after the block has run.
! reports: extent, total
module tables
  implicit none
  integer :: total
  real, allocatable :: table(:)
contains
  subroutine make(count)
    integer, intent(in) :: count
    integer :: extent
    extent = 2 * count
    !$cppc register(extent)
    !$cppc execute
    allocate (table(extent))
    table = real(total)
    !$cppc end execute
  end subroutine
end module

program main
  use tables
  implicit none
  integer :: step
  !$cppc init
  total = 4
  !$cppc register(total)
  call make(5)
  do step = 1, 3
    total = total + step
    !$cppc checkpoint
    print *, table(step), total
  end do
  !$cppc shutdown
end program
