! Exercises: arguments that are pointers. They point to a part of an array of the caller, to a scalar, to one of two
! tables that nothing changes, and to an allocatable argument that is allocated again.
module tables
  implicit none
  real(8), target :: linear(4) = [1, 2, 3, 4], cubic(4) = [1, 8, 27, 64]
  real(8), target :: scale = 0.5d0
contains
  subroutine advance(field, part, table, factor, work, view)
    real(8), target :: field(:)
    real(8), allocatable, target :: work(:)
    real(8), pointer :: part(:), table(:), factor, view(:)
    integer :: i
    !$cppc register(part, table, factor, view, work)
    part => field(2:4)
    table => linear
    factor => scale
    view => work
    do i = 1, 6
      !$cppc checkpoint
      part = part + table(1 + mod(i, 4)) * factor
      factor = factor * 0.75d0
      view = view + i
      if (associated(table, linear)) then
        table => cubic
      else
        table => linear
      end if
      if (i == 3) then
        part => field(3:5)
        deallocate (work)
        allocate (work(3))
        work = 7
        view => work
      end if
      print '(i2, 4l2, 9(1x, z16.16))', i, associated(part, field(2:4)), associated(table, cubic), &
        associated(factor, scale), associated(view, work), field, scale, work
    end do
  end subroutine advance
end module tables

program arguments
  use tables
  implicit none
  real(8), target :: field(5) = 1
  real(8), allocatable, target :: work(:)
  real(8), pointer :: part(:) => null(), table(:) => null(), factor => null(), view(:) => null()
  allocate (work(2))
  work = 3
  !$cppc init
  !$cppc register(field, linear, cubic, scale)
  call advance(field, part, table, factor, work, view)
  print '(9(1x, z16.16))', field, part, table, factor, work, view
  !$cppc shutdown
end program arguments
