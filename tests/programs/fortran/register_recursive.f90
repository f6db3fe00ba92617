! Recursive types by allocatable components: lists, and trees with single children and with arrays of children. They grow,
! shrink and are rearranged between the checkpoints, also in procedures.

module recursive_types
  implicit none (type)
  type node
    integer :: value = 0
    real(8), allocatable :: data(:)
    type(node), allocatable :: next
  end type node
  type branch
    character(len=4) :: name = '-'
    type(branch), allocatable :: left, right
    type(branch), allocatable :: children(:, :)
    character(len=:), allocatable :: text
  end type branch
  type bush
    type(bush), allocatable :: inner(:)
    integer :: id = 0
  end type bush
  type forest
    type(branch) :: trees(2)
    type(node), allocatable :: lists(:)
  end type forest
  type(bush), allocatable :: bushes(:)
contains
  subroutine push(list, value)
    type(node), allocatable, intent(inout) :: list
    integer, intent(in) :: value
    type(node), allocatable :: new
    allocate (new)
    new%value = value
    if (mod(value, 3) /= 0) new%data = [real(8) :: value, value + 1]
    call move_alloc(list, new%next)
    call move_alloc(new, list)
  end subroutine push

  subroutine pop(list)
    type(node), allocatable, intent(inout) :: list
    type(node), allocatable :: rest
    if (.not. allocated(list)) return
    call move_alloc(list%next, rest)
    call move_alloc(rest, list)
  end subroutine pop

  recursive subroutine grow(b, step)
    type(branch), intent(inout) :: b
    integer, intent(in) :: step
    b%text = repeat(achar(96 + step), mod(step, 5))
    if (mod(step, 2) == 0) then
      if (.not. allocated(b%left)) then
        allocate (b%left)
        b%left%name = 'l'
      else
        call grow(b%left, step + 1)
      end if
    else
      if (.not. allocated(b%right)) then
        allocate (b%right)
        b%right%name = 'r'
      else
        call grow(b%right, step + 2)
      end if
    end if
    if (mod(step, 4) == 3 .and. .not. allocated(b%children)) then
      allocate (b%children(-1:0, 2))
      b%children%name = 'c'
      call grow(b%children(0, 1), step + 2)
    end if
    if (step == 9) deallocate (b%right)
  end subroutine grow

  recursive function shown(b) result(text)
    type(branch), intent(in) :: b
    character(len=:), allocatable :: text
    integer :: i, j
    text = trim(b%name)
    if (allocated(b%text)) text = text // '"' // b%text // '"'
    if (allocated(b%left)) text = text // '<' // shown(b%left) // '>'
    if (allocated(b%right)) text = text // '[' // shown(b%right) // ']'
    if (.not. allocated(b%children)) return
    do j = lbound(b%children, 2), ubound(b%children, 2)
      do i = lbound(b%children, 1), ubound(b%children, 1)
        text = text // '{' // achar(50 + i) // shown(b%children(i, j)) // '}'
      end do
    end do
  end function shown

  real(8) function total(list)
    type(node), intent(in), target :: list
    type(node), pointer :: at
    total = 0
    at => list
    do
      total = total * 1.5d0 + at%value
      if (allocated(at%data)) total = total + sum(at%data)
      if (.not. allocated(at%next)) return
      at => at%next
    end do
  end function total

  subroutine change_bushes(step)
    integer, intent(in) :: step
    integer :: k
    if (step == 2) allocate (bushes(0:2))
    if (.not. allocated(bushes)) return
    do k = 0, 2
      bushes(k)%id = bushes(k)%id + step
      if (mod(step + k, 3) == 0) then
        if (allocated(bushes(k)%inner)) deallocate (bushes(k)%inner)
        allocate (bushes(k)%inner(k:step))
        bushes(k)%inner(step)%id = step + 10 * k
        allocate (bushes(k)%inner(step)%inner(-2:-k))
        if (k < 2 .and. step > 4) call move_alloc(bushes(2)%inner, bushes(k)%inner(step)%inner)
        if (k == 0 .and. step < 5) allocate (bushes(k)%inner(step)%inner(-2)%inner(0))
      end if
    end do
  end subroutine change_bushes

  recursive real(8) function weight(o) result(w)
    type(bush), intent(in) :: o
    integer :: k
    w = o%id
    if (.not. allocated(o%inner)) return
    w = w + 0.25d0 * size(o%inner)
    do k = lbound(o%inner, 1), ubound(o%inner, 1)
      w = w + k * weight(o%inner(k))
    end do
  end function weight

  subroutine work(step)
    integer, intent(in) :: step
!$cppc checkpoint
    if (allocated(bushes)) print '(a,i4,3f16.4)', 'bushes', step, weight(bushes(0)), weight(bushes(1)), weight(bushes(2))
  end subroutine work
end module recursive_types

program register_recursive
  use recursive_types, only: forest, grow, push, pop, shown, total, change_bushes, work, bushes, list_node => node
  implicit none
  type(list_node), allocatable :: list
  type(forest) :: wood
  integer :: step, k
!$cppc init
!$cppc register(list, wood, bushes)
  do step = 1, 12
!$cppc checkpoint
    if (step /= 6) then
      do k = 1, mod(step, 4)
        call push(list, 10 * step + k)
      end do
    else
      deallocate (list)
    end if
    if (step > 6) call pop(list)
    do k = 1, 2
      call grow(wood%trees(k), step + k)
    end do
    if (step == 3) allocate (wood%lists(3))
    if (step > 4) then
      call move_alloc(wood%lists(3)%next, wood%lists(2)%next)
      call push(wood%lists(3)%next, step)
    end if
    call change_bushes(step)
    call work(step)
    if (allocated(list)) print '(a,i4,f24.6)', 'list', step, total(list)
    if (allocated(wood%lists)) print '(a,3f24.6)', 'lists', (total(wood%lists(k)), k=1, 3)
    print '(3a)', shown(wood%trees(1)), ' ', shown(wood%trees(2))
  end do
!$cppc shutdown
end program register_recursive
