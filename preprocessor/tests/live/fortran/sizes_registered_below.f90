! The dummy argument is registered, but the procedure that has the size registers the same memory by name. So a restart restores
! the value after it has evaluated the size. The calls pass several variables, or several components of one variable.
! reports: grid, one, other
module sizes
  implicit none
  type extents
    integer :: n(1) = 1
    real :: spacing = 1
    integer :: m(1) = 1
  end type extents
  type(extents) :: grid
  integer :: one(1) = 1, other(1) = 1
contains
  subroutine component(n)
    integer, intent(inout) :: n(1)
    !$cppc register(n)
    call in_grid(n)
  end subroutine component

  subroutine in_grid(n)
    integer, intent(inout) :: n(1)
    real :: a(n(1))
    integer :: i
    !$cppc register(grid)
    do i = 1, 3
      !$cppc checkpoint
      print *, size(a)
    end do
  end subroutine in_grid

  subroutine variable(n)
    integer, intent(inout) :: n(1)
    !$cppc register(n)
    call in_variables(n)
  end subroutine variable

  subroutine in_variables(n)
    integer, intent(inout) :: n(1)
    real :: a(n(1))
    integer :: i
    !$cppc register(one, other)
    do i = 1, 3
      !$cppc checkpoint
      print *, size(a)
    end do
  end subroutine in_variables
end module sizes

program sizes_registered_below
  use sizes
  implicit none
  !$cppc init
  grid%n = 5; grid%m = 6
  call component(grid%n)
  call component(grid%m)
  one = 7; other = 8
  call variable(one)
  call variable(other)
  !$cppc shutdown
end program sizes_registered_below
