! Derived types with pointers, which a caller of the procedure with the checkpoint registers. One pointer is forgotten.
! reports: which
! all: which
module graphs_in_callers
  implicit none
  type cell
    integer :: tag = 1
    integer, allocatable :: ids(:)
    type(cell), pointer :: child(:) => null()
  end type cell
contains
  subroutine change(c)
    type(cell), intent(inout) :: c
    if (allocated(c%ids)) c%ids = c%ids + 1
  end subroutine change

  subroutine inner(dom, n)
    type(cell), intent(inout) :: dom(:)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
!$cppc checkpoint
      call change(dom(1 + mod(i, size(dom))))
    end do
  end subroutine inner
end module graphs_in_callers

program main
  use graphs_in_callers
  implicit none
  type(cell), pointer :: grid(:), which
  type(cell), allocatable :: more(:)
  type(cell), target :: fixed(2)
  integer :: step
!$cppc init
  allocate (grid(2), more(2))
  allocate (grid(1)%child(3), grid(2)%ids(3), more(1)%ids(2), fixed(1)%ids(1))
  allocate (grid(1)%child(1)%ids(3))
  grid(1)%child(1)%ids = 3
  grid(2)%ids = 4
  more(1)%ids = 5
  fixed(1)%ids = 6
  which => grid(2)
!$cppc register(grid, more, fixed)
  do step = 1, 5
    call inner(grid, 3)
    call inner(more, 2)
    call inner(fixed, 2)
    print *, which%ids, more(1)%ids, fixed(1)%ids
    which => grid(mod(step, 2) + 1)
  end do
!$cppc shutdown
end program main
