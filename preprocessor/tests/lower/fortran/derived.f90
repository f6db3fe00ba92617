module grids
  type :: cell
    integer(1) :: flag
    real(8) :: value(3)
  end type
  type :: grid
    integer :: n
    type(cell), allocatable :: cells(:)
    type(cell) :: one
    type(grid), pointer :: next => null()
  end type
  type(grid) :: all
contains
  subroutine update(g, h, i)
    type(grid), intent(inout) :: g
    type(grid) :: h
    integer :: i
    g%cells(i)%value(2) = g%one%value(1)
    g%next%n = all%n
    h = g
    g%one = cell(1_1, 2d0)
    g%cells(:)%flag = 0
  end subroutine
end module
