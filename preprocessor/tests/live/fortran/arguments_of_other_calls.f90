! A register of a dummy argument saves what the running call passes, and not what other calls pass.
! reports: column, element, first, inner, one, other, second
program other_calls
  implicit none
  real(8), target :: first(4), second(4), element(4), column(4, 3), inner(6), one(4), other(4)
  real(8), pointer :: either(:)
  integer :: k
  !$cppc init
  first = 1; second = 2; element = 3; column = 4; inner = 5; one = 6; other = 7
  either => one
  !$cppc register(either)
  do k = 1, 3
    if (mod(k, 2) == 0) then
      call work(first, 4)
    else
      call work(second, 4)
    end if
    call one_value(element(k))
    call work(column(:, k), 4)
    call work(inner(2:5), 4)
    call work(either, 4)
    if (k == 2) either => other
    print *, first, second, element, column, inner, one, other
  end do
  !$cppc shutdown
contains
  subroutine work(part, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: part(n)
    !$cppc register(part)
    !$cppc checkpoint
    part = part + 1
  end subroutine work

  subroutine one_value(part)
    real(8), intent(inout) :: part
    !$cppc register(part)
    !$cppc checkpoint
    part = part + 1
  end subroutine one_value
end program other_calls
