! Two recursive types with components of the same name and of other types. A node has another number in each walk, so the nodes
! of one type may get the numbers of the other.
program register_recursive_kinds
  implicit none (type)
  type tree
    real(8) :: value = 0
    type(tree), allocatable :: next
  end type tree
  type list
    integer, allocatable :: value(:)
    type(tree), allocatable :: grown
    type(list), allocatable :: next
  end type list
  type(list), allocatable :: root
  integer :: step
!$cppc init
!$cppc register(root)
  do step = 1, 12
    call push(root, step)
    if (mod(step, 2) == 0) call grow(root%grown, step)
    if (mod(step, 3) == 0) call grow(root%next%grown, step)
    if (mod(step, 5) == 0) call drop(root)
!$cppc checkpoint
    print '(i4,f20.6)', step, total(root)
  end do
!$cppc shutdown
contains
  subroutine push(to, number)
    type(list), allocatable, intent(inout) :: to
    integer, intent(in) :: number
    type(list), allocatable :: new
    allocate (new)
    if (mod(number, 4) /= 0) new%value = [number, 2 * number, 3]
    call move_alloc(to, new%next)
    call move_alloc(new, to)
  end subroutine push

  subroutine drop(from)
    type(list), allocatable, intent(inout) :: from
    type(list), allocatable :: rest
    call move_alloc(from%next, rest)
    call move_alloc(rest, from)
  end subroutine drop

  subroutine grow(to, number)
    type(tree), allocatable, intent(inout) :: to
    integer, intent(in) :: number
    type(tree), allocatable :: new
    allocate (new)
    new%value = 0.5d0 + number
    call move_alloc(to, new%next)
    call move_alloc(new, to)
  end subroutine grow

  recursive real(8) function total(from) result(sum_of)
    type(list), intent(in) :: from
    sum_of = 0
    if (allocated(from%value)) sum_of = sum(from%value)
    if (allocated(from%grown)) sum_of = sum_of + total_of_tree(from%grown)
    if (allocated(from%next)) sum_of = sum_of + 1.25d0 * total(from%next)
  end function total

  recursive real(8) function total_of_tree(from) result(sum_of)
    type(tree), intent(in) :: from
    sum_of = from%value
    if (allocated(from%next)) sum_of = sum_of + 1.5d0 * total_of_tree(from%next)
  end function total_of_tree
end program register_recursive_kinds
