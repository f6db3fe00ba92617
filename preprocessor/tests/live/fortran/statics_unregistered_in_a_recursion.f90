! Each call of a recursion ends the register of its static variable before it returns.
! reports: n
! all: n
program statics_unregistered_in_a_recursion
  implicit none
  integer :: i
  !$cppc init
  !$cppc register(i)
  do i = 1, 4
    !$cppc checkpoint
    call walk(3)
  end do
  !$cppc shutdown
end program statics_unregistered_in_a_recursion
recursive subroutine walk(depth)
  implicit none
  integer, intent(in) :: depth
  integer, save :: n = 0
  if (depth == 0) return
  !$cppc register(n)
  n = n + depth
  print *, n
  !$cppc unregister(n)
  call walk(depth - 1)
end subroutine walk
