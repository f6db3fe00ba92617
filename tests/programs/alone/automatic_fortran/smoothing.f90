module smoothing
  implicit none
  integer :: calls = 3
contains
  subroutine smooth(values)
    double precision, intent(inout) :: values(:)
    integer :: i
    do i = 2, size(values)
      values(i) = 0.5d0 * (values(i) + values(i - 1))
    end do
    calls = calls + size(values)
  end subroutine smooth
end module smoothing
