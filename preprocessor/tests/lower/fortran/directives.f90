program main
  type :: state
    integer :: n
    real, allocatable :: u(:)
  end type
  type(state) :: s
  real :: a(10, 10), b(10)
  integer :: i, unit
  real :: x
  common /blk/ x
  !$cppc init
  !$cppc register(s, a(10, 3), /blk/)
  !$cppc execute capture(i) file(unit, 'data')
  open(newunit=unit, file='data')
  !$cppc end execute
  do i = 1, 10
    b = a(:, i)
    !$cppc checkpoint
  end do
  !$cppc unregister(a)
  !$cppc shutdown
end program
