! A variable of a submodule.
submodule(grid) points
  implicit none
  real(real64), allocatable :: x(:)
contains
  module subroutine begin_points(n)
    integer, intent(in) :: n
    allocate (x(n))
    x = -1
!$cppc register(x)
  end subroutine begin_points
  module subroutine change_points(step)
    integer, intent(in) :: step
    deallocate (x)
    allocate (x(3 * step))
    x = step
  end subroutine change_points
  module procedure report_points
    print *, size(x), x
  end procedure report_points
end submodule points
