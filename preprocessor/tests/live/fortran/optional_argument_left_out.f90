! The register of an optional argument saves nothing in calls without the argument.
! reports: y
module optional
  implicit none
contains
  subroutine make(n, b)
    integer, intent(in) :: n
    real(8), allocatable, intent(inout), optional :: b(:)
    if (present(b)) then
      !$cppc register(b)
      if (.not. allocated(b)) allocate (b(2))
      b = n
    end if
    !$cppc checkpoint
  end subroutine make
end module optional

program left_out
  use optional
  implicit none
  real(8), allocatable :: y(:)
  integer :: k
  !$cppc init
  do k = 1, 4
    if (k == 1) then
      call make(k, y)
    else
      call make(k)
    end if
    print *, y
  end do
  !$cppc shutdown
end program left_out
