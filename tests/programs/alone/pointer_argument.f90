! A pointer that is an argument points to an array of the program that is not registered. A restart would give the pointer
! memory of its own, and `field` would keep its old values.
program pointer_argument
  implicit none
  real(8), target :: field(6) = 1
  real(8), pointer :: view(:) => null()
  integer :: step
!$cppc init
  do step = 1, 4
    call advance(view, step)
    print '(i3,6f8.2,l2)', step, field, associated(view, field(2:4))
  end do
!$cppc shutdown
contains
  subroutine advance(part, step)
    real(8), pointer :: part(:)
    integer, intent(in) :: step
!$cppc register(part)
    part => field(2:4)
!$cppc checkpoint
    part = part + step
  end subroutine advance
end program pointer_argument
