subroutine names(a, i, t)
  type :: pair
    real :: x, y(4)
  end type
  type(pair) :: t(5)
  real :: a(10)
  integer :: i
  associate (part => a(2:9:2), one => t(i), total => sum(a))
    i = i + 1
    part(3) = total
    one%x = part(i)
    one%y = 0
  end associate
  block
    real :: local(i)
    real, allocatable :: more(:)
    local(1) = 1
    more = local
  end block
end subroutine
