! Derived types with allocatable components of derived types, on several levels, in one register. A procedure without the
! register refines the levels with intrinsic assignment and MOVE_ALLOC.

module levels_of_run
  implicit none
  type cell
    real(8), allocatable :: u(:, :)
    integer :: id = 0
  end type cell
  type block
    type(cell) :: pair(2)
    real(8), allocatable :: scale
  end type block
  type, extends(block) :: level
    integer :: depth = 0
    type(cell), allocatable :: cells(:, :)
    type(block) :: inner
    type(block), allocatable :: one
  end type level
  type grid
    type(level), allocatable :: levels(:)
    character(len=8) :: title = 'none'
  end type grid
  type(grid), allocatable :: grids(:)
contains
  subroutine refine(g, step)
    type(grid), intent(inout) :: g
    integer, intent(in) :: step
    type(level), allocatable :: more(:)
    integer :: n, i, j
    n = 0
    if (allocated(g%levels)) n = size(g%levels)
    allocate (more(n + 1))
    if (n > 0) more(1:n) = g%levels
    call move_alloc(more, g%levels)
    associate (new => g%levels(n + 1))
      new%depth = step
      allocate (new%cells(0:1, n + 1))
      do j = 1, n + 1
        do i = 0, 1
          allocate (new%cells(i, j)%u(i + 1, j))
          new%cells(i, j)%u = step + 10 * i + j
          new%cells(i, j)%id = 100 * step + i + j
        end do
      end do
      if (mod(step, 2) == 0) new%inner%scale = 0.5d0 * step
      if (mod(step, 3) == 0) then
        allocate (new%one)
        allocate (new%one%pair(2)%u(1, 2))
        new%one%pair(2)%u = step
        new%one%pair(1)%id = step
      end if
      allocate (new%pair(1)%u(3, 1), new%inner%pair(2)%u(3, 1))
      new%pair(1)%u = step
      new%inner%pair(2)%u = 2 * step
    end associate
    if (n > 3) deallocate (g%levels)
  end subroutine refine

  real(8) function total(g) result(x)
    type(grid), intent(in) :: g
    integer :: i, j, k
    x = 0
    if (.not. allocated(g%levels)) return
    do k = 1, size(g%levels)
      x = x + g%levels(k)%depth + sum(g%levels(k)%pair(1)%u) + sum(g%levels(k)%inner%pair(2)%u)
      do j = lbound(g%levels(k)%cells, 2), ubound(g%levels(k)%cells, 2)
        do i = lbound(g%levels(k)%cells, 1), ubound(g%levels(k)%cells, 1)
          x = x + sum(g%levels(k)%cells(i, j)%u) + g%levels(k)%cells(i, j)%id
        end do
      end do
      if (allocated(g%levels(k)%inner%scale)) x = x * g%levels(k)%inner%scale
      if (allocated(g%levels(k)%one)) x = x + sum(g%levels(k)%one%pair(2)%u) + g%levels(k)%one%pair(1)%id
    end do
  end function total
end module levels_of_run

program register_trees_nested
  use levels_of_run
  implicit none
  type(grid) :: single
  integer :: step, g
  real(8) :: sums
!$cppc init
!$cppc register(grids, single, sums)
  sums = 0
  do step = 1, 12
!$cppc checkpoint
    if (step == 2) allocate (grids(3))
    if (mod(step, 3) == 0) call refine(single, step)
    if (allocated(grids)) then
      do g = 1, 3
        if (mod(step + g, 2) == 0) call refine(grids(g), step)
        grids(g)%title = 'g' // achar(64 + step)
        sums = sums + total(grids(g))
      end do
      call work(step)
    end if
    print '(i3,2f20.6)', step, sums, total(single)
  end do
!$cppc shutdown
contains
  subroutine work(step)
    integer, intent(in) :: step
!$cppc checkpoint
    print '(a,i3,3a9,3f16.4)', 'work', step, grids%title, total(grids(1)), total(grids(2)), total(grids(3))
  end subroutine work
end program register_trees_nested
