! Roots of graphs in many forms: dummy arguments, components, variables of hosts, private types, pointers in COMMON blocks,
! arrays of any rank, and roots that are registered for a part of the run.
!
! compilers: gfortran
module trees_of_forms
  implicit none
  private
  type :: leaf
    integer :: number = 0
    type(leaf), pointer :: other => null()
  end type leaf
  type, public :: tree
    private
    type(leaf), pointer :: first => null()
    type(leaf), allocatable :: leaves(:, :)
    real(4), public :: weight = 1
  end type tree
  type, public :: link
    sequence
    integer :: number
    type(link), pointer :: next
  end type link
  type, public :: world
    type(tree) :: trees(2)
    type(tree), pointer :: best => null()
    integer, pointer :: counts(:) => null()
    character(len=3) :: name = 'wld'
  end type world
  type(world), save, target :: all_worlds(-1:0, 2)
  type(leaf), pointer :: hidden => null()
  public :: all_worlds, plant, value_of, register_hidden, turn_hidden
contains
  subroutine plant(t, rows)
    type(tree), intent(inout), target :: t
    integer, intent(in) :: rows
    integer :: i, j
    if (allocated(t%leaves)) deallocate (t%leaves)
    allocate (t%leaves(rows, 0:2))
    do j = 0, 2
      do i = 1, rows
        t%leaves(i, j)%number = 10*i + j
        t%leaves(i, j)%other => t%leaves(1 + mod(i, rows), mod(j + 1, 3))
      end do
    end do
    t%first => t%leaves(rows, 1)
  end subroutine plant

  function value_of(t) result(total)
    type(tree), intent(inout) :: t
    real(8) :: total
    type(leaf), pointer :: at
    integer :: i
    total = t%weight
    if (.not. associated(t%first)) return
    at => t%first
    do i = 1, 5
      total = total + at%number*i
      at%number = mod(at%number + i, 50)
      at => at%other
    end do
  end function value_of

  subroutine register_hidden()
    allocate (hidden)
!$cppc register(hidden)
  end subroutine register_hidden

  subroutine turn_hidden(total)
    real(8), intent(inout) :: total
    type(leaf), pointer :: new
    hidden%number = hidden%number + 1
    allocate (new)
    new%number = hidden%number
    new%other => hidden
    hidden => new
    total = total + hidden%other%number
  end subroutine turn_hidden
end module trees_of_forms

program graph_forms
  use trees_of_forms
  implicit none
  type(tree), target :: own(2)
  type(tree), pointer :: shared
  type(world) :: part
  type(tree), pointer :: forest(:)
  type(link), pointer :: start
  integer :: links
  common /chain/ start, links
  real(8) :: total
  integer :: step, extra
!$cppc init
  extra = 0
  total = 0
  call plant(own(1), 2)
  call plant(own(2), 3)
  shared => own(2)
  allocate (forest(0:1))
  call plant(forest(0), 1)
  call plant(forest(1), 2)
  call plant(all_worlds(-1, 1)%trees(2), 2)
  all_worlds(0, 2)%best => all_worlds(-1, 1)%trees(2)
  allocate (all_worlds(0, 1)%counts(3:5))
  all_worlds(0, 1)%counts = 7
  call register_hidden()
  links = 0
  nullify (start)
!$cppc register(own, shared, all_worlds, total, extra)
!$cppc register(/chain/, forest)
  do step = 1, 4
!$cppc checkpoint
    total = total*0.5d0 + value_of(shared) + value_of(own(1))
    call turn_hidden(total)
    if (step == 2) then
      shared => forest(1)
    end if
    total = total + value_of(all_worlds(0, 2)%best) + sum(all_worlds(0, 1)%counts)
    all_worlds(0, 1)%counts(4) = step
    call lengthen()
    total = total + links*start%number
    print '(a, i0, a, f0.5)', 'main ', step, ' ', total
  end do
  call through_dummy(part, forest, total)
  call with_internal(total)
  call deeper(3, total)
  print '(a, f0.5)', 'end ', total
!$cppc shutdown
contains
  subroutine lengthen()
    type(link), pointer :: new
    allocate (new)
    new%number = step
    new%next => start
    start => new
    links = links + 1
    if (associated(start%next)) start%number = start%number + start%next%number
  end subroutine lengthen

  subroutine through_dummy(w, list, sum_of_all)
    type(world), intent(inout) :: w
    type(tree), pointer :: list(:)
    real(8), intent(inout) :: sum_of_all
    type(tree), pointer :: before(:)
    integer :: i
    call plant(w%trees(1), 2)
    w%best => list(0)
!$cppc register(w)
    do i = 1, 3
!$cppc checkpoint
      sum_of_all = sum_of_all + value_of(w%best) + value_of(w%trees(1))
      before => list
      allocate (list(0:i))
      list(0:1) = before(0:1)
      call plant(list(i), i)
      w%best => list(i)
      w%name = achar(96 + i)//'xy'
      print '(a, f0.5, a)', 'dummy ', sum_of_all, w%name
    end do
!$cppc unregister(w)
  end subroutine through_dummy

  subroutine with_internal(value)
    real(8), intent(inout) :: value
    type(world), allocatable :: local(:)
    type(tree), pointer :: chosen
    integer :: i
    allocate (local(2))
    call plant(local(1)%trees(1), 2)
    call plant(local(2)%trees(2), 2)
    chosen => own(1)
!$cppc register(local, chosen)
    do i = 1, 3
      call inner(i)
      value = value + value_of(chosen)
      print '(a, f0.5, i4)', 'host ', value, extra
    end do
  end subroutine with_internal

  subroutine inner(i)
    integer, intent(in) :: i
!$cppc checkpoint
    extra = extra + i
  end subroutine inner

  recursive subroutine deeper(depth, value)
    integer, intent(in) :: depth
    real(8), intent(inout) :: value
    type(tree), pointer :: mine
    if (depth == 0) return
    allocate (mine)
    call plant(mine, depth)
!$cppc register(mine)
    value = value + value_of(mine)
!$cppc checkpoint
    call deeper(depth - 1, value)
    value = value + value_of(mine)
    print '(a, f0.5)', 'deep ', value
!$cppc unregister(mine)
    deallocate (mine)
  end subroutine deeper
end program graph_forms
