! An array is not allocated when it goes through `middle`, which does not register it, to a procedure that registers and
! allocates it. A checkpoint in `middle` would save it as not allocated.
program unallocated_argument
  implicit none
  real(8), allocatable :: u(:), w(:)
  integer :: step
!$cppc init
!$cppc register(u, w)
  do step = 1, 8
    if (step == 4) deallocate (u)
    call middle(u, step)
    call registering(w, step)
!$cppc checkpoint
    print '(i3,4f10.2)', step, u, w
  end do
!$cppc shutdown
contains
  subroutine middle(a, step)
    real(8), allocatable, intent(inout) :: a(:)
    integer, intent(in) :: step
    call create(a, step)
!$cppc checkpoint
    a = a + step
  end subroutine middle

  subroutine registering(a, step)
    real(8), allocatable, intent(inout) :: a(:)
    integer, intent(in) :: step
!$cppc register(a)
    if (step == 6) deallocate (a)
    call create(a, step)
!$cppc checkpoint
    a = a * 2
  end subroutine registering

  subroutine create(a, step)
    real(8), allocatable, intent(inout) :: a(:)
    integer, intent(in) :: step
!$cppc register(a)
    if (.not. allocated(a)) then
      allocate (a(2))
      a = step
    end if
!$cppc checkpoint
    a = a + 1
  end subroutine create
end program unallocated_argument
