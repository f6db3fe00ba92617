! The block sets some elements again, and not those that only the statement before it has set.
! reports: b, table
program captured
  implicit none
  real(8) :: table(4)
  integer, pointer :: at, other
  integer :: i
  !$cppc init
  allocate (at, other)
  at = 1; other = 2; table = 0
  do i = 1, 3
    at = i
    call set(at, other)
  end do
  !$cppc register(i)
  do i = 1, 3
    !$cppc checkpoint
    print *, table(2)
  end do
  !$cppc shutdown
contains
  subroutine set(a, b)
    integer, intent(in) :: a, b
    !$cppc execute capture(a)
    table(a) = a + b
    !$cppc end execute
  end subroutine set
end program captured
