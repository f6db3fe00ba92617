module trees
  implicit none
  type cell
    real, allocatable :: u(:)
  end type cell
  type block
    type(cell), allocatable :: cells(:)
    type(cell) :: pair(2)
  end type block
  type linked
    integer :: value
    type(linked), allocatable :: next
  end type linked
  type shape
    class(cell), allocatable :: any
  end type shape
  type pointing
    type(cell), allocatable :: cells(:)
    type(cell), pointer :: first
  end type pointing
  type hidden
    integer :: value
    type(hidden), allocatable :: next
  end type hidden
  private :: hidden
  type(hidden), allocatable :: chain
  type(block), allocatable :: blocks(:)
  type(block) :: fixed(4)
  type(linked), allocatable :: list
  type(shape) :: shapes(3)
  type(pointing), allocatable :: pointings(:)
contains
  subroutine all_of_them(n)
    integer, intent(in) :: n
    !$cppc register(blocks, fixed, fixed(2)%cells)
    !$cppc register(blocks(n)%cells)
!                   ~~~~~~~~~~~~~~~ error[C0450] `blocks(n)%cells` is of a derived type, and its components have memory of their own
    !$cppc register(fixed(2))
!                   ~~~~~~~~ error[C0450] `fixed` is an array of a type whose component `cells` is allocatable
    !$cppc register(list)
    !$cppc register(shapes)
    !$cppc register(pointings)
    !$cppc execute capture(fixed)
!                          ~~~~~ error[C0450] `fixed` is of a derived type, and its components have memory of their own
    !$cppc end execute
  end subroutine all_of_them
end module trees

subroutine elsewhere()
  use trees, only: list, chain
  implicit none
  !$cppc register(list)
  !$cppc register(chain)
!                 ~~~~~ error[C0454] the recursive type `hidden` has no name here
end subroutine elsewhere
