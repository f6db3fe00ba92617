! The calls are in a procedure that has no registers.
! reports: left, right
module fields
  implicit none
  real(8) :: left(3) = 1, right(3) = 2
contains
  subroutine both()
    call one(left, 3)
    call one(right, 3)
  end subroutine both

  subroutine one(field, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: field(n)
    !$cppc register(field)
    !$cppc checkpoint
    field = field + 1
  end subroutine one
end module fields

program middle
  use fields
  implicit none
  integer :: k
  !$cppc init
  do k = 1, 3
    call both()
    print *, k, left, right
  end do
  !$cppc shutdown
end program middle
