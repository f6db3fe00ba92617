! Graphs of derived types: trees, shared cells, sections, extended types, pointers to procedures, and pointers between a graph
! and arrays that are registered separately.
!
! compilers: gfortran
module shapes
  implicit none
  type :: base
    integer(1) :: tag = 3
    character(len=:), allocatable :: label
  end type base
  type, extends(base) :: cell
    real(8), pointer :: u(:, :) => null()
    real(8), pointer :: row(:) => null()
    real(8), pointer :: one => null()
    integer, allocatable :: ids(:)
    type(cell), pointer :: neighbours(:) => null()
    type(ref), allocatable :: refs(:)
    procedure(rule), pointer, nopass :: f => null()
    character(len=6), pointer :: words(:) => null()
    complex(8) :: z(2, 0:1) = (1d0, 2d0)
    logical(1) :: flag = .true.
    type(cell), pointer :: child(:) => null()
  end type cell
  type :: ref
    type(cell), pointer :: to => null()
    integer :: weight = 0
  end type ref
  abstract interface
    function rule(x) result(y)
      real(8), intent(in) :: x
      real(8) :: y
    end function rule
  end interface
contains
  function twice(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = 2*x
  end function twice
  function half(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = x/2
  end function half

  recursive function sum_of(c, depth) result(s)
    type(cell), intent(in) :: c
    integer, intent(in) :: depth
    real(8) :: s
    integer :: i
    s = c%tag + len(c%label) + sum(real(c%z)) + merge(1, 0, c%flag)
    if (associated(c%u)) s = s + sum(c%u) + lbound(c%u, 1)*10 + ubound(c%u, 2)
    if (associated(c%row)) s = s + c%row(1) + size(c%row)
    if (associated(c%one)) s = s + 3*c%one
    if (allocated(c%ids)) s = s + sum(c%ids) + 0.25d0*size(c%ids)
    if (associated(c%f)) s = s + c%f(7d0)
    if (associated(c%words)) s = s + size(c%words) + iachar(c%words(1)(1:1))
    if (associated(c%neighbours)) s = s + size(c%neighbours) + c%neighbours(1)%tag
    if (allocated(c%refs)) then
      do i = 1, size(c%refs)
        if (associated(c%refs(i)%to)) s = s + c%refs(i)%weight*c%refs(i)%to%tag
      end do
    end if
    if (associated(c%child) .and. depth < 6) then
      do i = lbound(c%child, 1), ubound(c%child, 1)
        s = s + sum_of(c%child(i), depth + 1)
      end do
    end if
  end function sum_of

  recursive subroutine grow(c, depth, seed)
    type(cell), intent(inout), target :: c
    integer, intent(in) :: depth, seed
    integer :: i
    c%label = repeat('l', mod(seed, 5))
    c%tag = int(mod(seed, 100), 1)
    allocate (c%u(2:3, 4))
    c%u = seed*0.5d0
    c%u(3, 2) = -seed
    c%row => c%u(3, :)
    c%one => c%u(2, 3)
    if (mod(seed, 3) /= 0) allocate (c%ids(mod(seed, 4)))
    if (allocated(c%ids)) c%ids = seed
    if (mod(seed, 2) == 0) then
      c%f => twice
    else
      c%f => half
    end if
    allocate (c%words(2))
    c%words = ['abcdef', 'ghijkl']
    if (depth < 3) then
      allocate (c%child(0:1 + mod(seed, 2)))
      do i = 0, ubound(c%child, 1)
        call grow(c%child(i), depth + 1, seed*2 + i)
      end do
      c%neighbours => c%child(ubound(c%child, 1):0:-1)
      allocate (c%refs(2))
      c%refs(1)%to => c%child(1)
      c%refs(1)%weight = 2
      c%refs(2)%to => c
      c%refs(2)%weight = 3
    end if
  end subroutine grow

  recursive subroutine change(c, seed)
    type(cell), intent(inout) :: c
    integer, intent(in) :: seed
    integer :: i
    if (associated(c%one)) c%one = c%one*1.01d0 + seed
    if (associated(c%row)) c%row(2) = c%row(2) + 1
    if (allocated(c%ids)) c%ids = c%ids + 1
    if (mod(seed, 4) == 1 .and. allocated(c%ids)) c%ids = [c%ids, seed]
    if (allocated(c%refs)) then
      c%refs(1)%to%tag = int(mod(c%refs(1)%to%tag + 1, 100), 1)
    end if
    if (associated(c%child)) then
      do i = lbound(c%child, 1), ubound(c%child, 1)
        call change(c%child(i), seed + 1)
      end do
    end if
  end subroutine change

  subroutine inner(dom, n, acc)
    type(cell), intent(inout) :: dom(:)
    integer, intent(in) :: n
    real(8), intent(inout) :: acc
    integer :: i
    do i = 1, n
!$cppc checkpoint
      call change(dom(1 + mod(i, size(dom))), i)
      acc = acc*0.5d0 + sum_of(dom(1), 0) + sum_of(dom(2), 0)
      print '(a, f0.6)', 'inner ', acc
    end do
  end subroutine inner
end module shapes

subroutine work(steps)
  use shapes
  implicit none
  integer, intent(in) :: steps
  type(cell), target :: grid(2)
  type(cell), allocatable, target :: more(:)
  type(cell), pointer :: which, list(:)
  type(ref) :: r
  real(8), pointer :: view(:), col(:)
  real(8), allocatable, target :: field(:)
  real(8), target :: buffer(steps)
  real(8) :: acc
  integer :: step
  acc = 0
  allocate (more(-1:1), field(10))
  call grow(grid(1), 0, 5)
  call grow(grid(2), 1, 8)
  call grow(more(0), 1, 11)
  more(-1)%label = 'm'
  more(1)%label = 'nn'
  field = 1
  buffer = 2
  more(-1)%row => field(3:9:2)
  more(1)%row => buffer(2:)
  which => more(0)
  list => grid(1)%child
  r%to => grid(2)
  view => grid(1)%u(:, 2)
  col => more(0)%child(0)%u(2, :)
!$cppc register(grid, more, which, list, r, view, field, buffer, acc)
  do step = 1, steps
    call inner(grid, 3, acc)
    which => list(mod(step, size(list)))
    call change(which, step)
    r%weight = r%weight + 1
    if (mod(step, 2) == 0) then
      r%to => more(0)
    else
      r%to => grid(1)%child(0)
    end if
    view(2) = view(2) + 1
    field = field*1.5d0 + 1
    buffer = buffer + step
    if (step == 3) then
      view => more(0)%u(:, 3)
    end if
!$cppc checkpoint
    acc = acc + sum(view) + r%to%tag*r%weight + sum(more(-1)%row) + sum(more(1)%row) + sum_of(more(0), 0)
    print '(a, f0.6)', 'work ', acc
  end do
end subroutine work

program main
  implicit none
!$cppc init
  call work(6)
!$cppc shutdown
end program main
