! Exercises: pointers that were set before `init` to what is allocated and registered: in a restart it stays where it is
! when it has the same bounds. Arrays, scalars, characters, components of elements.
program pointers_before_init
  implicit none
  type view
    real(8), pointer, contiguous :: a(:) => null()
  end type view
  type tile
    integer, allocatable :: cells(:, :)
  end type tile
  real(8), allocatable, target :: u(:), v(:)
  integer, allocatable, target :: count
  character(len=:), allocatable, target :: name
  type(tile), allocatable, target :: tiles(:)
  type(view) :: views(2)
  integer, pointer :: counter, corner
  character(len=:), pointer :: title
  integer :: step, t
  allocate (u(-2:20), v(30), count, tiles(3))
  allocate (character(len=7) :: name)
  do t = 1, 3
    allocate (tiles(t)%cells(0:t, 2), source=0)
  end do
  name = 'waiting'
  u = 0; v = 0; count = 0
  views(1)%a => u
  views(2)%a => v(3:7)
  counter => count
  title => name
  corner => tiles(2)%cells(2, 2)
  !$cppc init
  !$cppc register(u, v, count, name)
  do t = 1, 3
    !$cppc register(tiles(t)%cells)
  end do
  do step = 1, 6
    ! All components are registered, so that of `corner` is.
    !$cppc allow(C0701, corner)
    !$cppc checkpoint
    u = u + step
    v = v - step
    counter = counter + step
    title(step:step) = '.'
    tiles(2)%cells = tiles(2)%cells + step
    print '(4(1x, f8.1), 2i4, 1x, a, 1x, a)', sum(u), sum(v), sum(views(1)%a), sum(views(2)%a), count, corner, name, title
  end do
  !$cppc shutdown
end program pointers_before_init
