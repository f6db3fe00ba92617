! A called procedure deallocates an array whose values are no longer needed. DEALLOCATE reads the state of allocation.
! reports: sigs
! all: sigs
module fields
  implicit none
  real(8), allocatable :: sigt(:), sigs(:)
contains
  subroutine finish
    deallocate (sigs)
  end subroutine finish
end module fields
program freed_in_a_callee
  use fields
  implicit none
  integer :: i
  !$cppc init
  allocate (sigt(10), sigs(10))
  sigs = 2
  sigt = 1 + sigs
  do i = 1, 10
    !$cppc register(i, sigt)
    !$cppc checkpoint
    print *, i, sum(sigt)
  end do
  call finish
  print *, 'done'
  !$cppc shutdown
end program freed_in_a_callee
