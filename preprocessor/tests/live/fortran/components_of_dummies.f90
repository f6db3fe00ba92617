! reports: top
program components
  implicit none
  type layer
    real(8), allocatable :: values(:)
  end type layer
  type(layer) :: top
  integer :: i
  !$cppc init
  allocate (top%values(3))
  top%values = 1
  do i = 1, 6
    !$cppc checkpoint
    call work(top)
  end do
  !$cppc shutdown
contains
  subroutine work(l)
    type(layer), intent(inout) :: l
    l%values(1) = l%values(1) * 0.5d0 + i
  end subroutine work
end program components
