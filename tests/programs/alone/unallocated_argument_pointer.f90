! An array is not allocated when it goes through `middle` to a procedure that registers and allocates it. In `middle`, a
! registered pointer then points to the array. But the pointer is not the array: `u` would be saved as not allocated.
program unallocated_argument_pointer
  implicit none
  real(8), allocatable, target :: u(:)
  integer :: step
!$cppc init
!$cppc register(u)
  do step = 1, 8
    if (step == 4) deallocate (u)
    call middle(u, step)
!$cppc checkpoint
    print '(i3,2f10.2)', step, u
  end do
!$cppc shutdown
contains
  subroutine middle(a, step)
    real(8), allocatable, target, intent(inout) :: a(:)
    integer, intent(in) :: step
    real(8), pointer :: view(:)
    nullify (view)
!$cppc register(view)
    call create(a, step)
    view => a
!$cppc checkpoint
    view = view + step
  end subroutine middle

  subroutine create(a, step)
    real(8), allocatable, target, intent(inout) :: a(:)
    integer, intent(in) :: step
!$cppc register(a)
    if (.not. allocated(a)) then
      allocate (a(2))
      a = step
    end if
!$cppc checkpoint
    a = a + 1
  end subroutine create
end program unallocated_argument_pointer
