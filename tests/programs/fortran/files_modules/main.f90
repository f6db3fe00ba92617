! Exercises: several files with modules: variables and procedures under other names, only some of
! them, a module that passes another's names on, a submodule, and private state with a checkpoint.
!
! order: grid_data.f90 stepping.f90 main.f90
program modules
  use grid_data, only: cells => values, extent, clock
  use stepping, only: advance => step, level
  use stepping, only: operator(.near.)
  implicit none
  integer :: i
  call set_up()
  !$cppc init
  !$cppc register(cells, i, clock)
  do i = 1, 4
    call advance(by=i)
    level = level + 1
    cells(1) = cells(1) + level
    print '(3i4, l2, 2(1x, z16.16))', i, level, clock, cells(1) .near. cells(2), sum(cells), cells(extent)
  end do
  !$cppc shutdown
contains
  subroutine set_up()
    use grid_data, only: allocate_grid
    call allocate_grid(6)
  end subroutine set_up
end program modules
