! A component of an allocatable that is not allocated is registered.
program component_without_parent
  implicit none
  type field
    real(8), allocatable :: x(:)
  end type field
  type(field), allocatable :: p
  real(8) :: total
  integer :: step
  total = 0
!$cppc init
!$cppc register(p%x, total)
  do step = 1, 5
!$cppc checkpoint
    total = total + step
  end do
  print '(f9.1)', total
!$cppc shutdown
end program component_without_parent
