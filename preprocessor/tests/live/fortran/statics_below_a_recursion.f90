! A procedure registers its static variable, and a recursion runs it in its last step only: each path to a return runs it.
! `lost` is not registered on the path that returns early.
! reports: lost
! all: lost
program statics_below_a_recursion
  implicit none
  integer :: i
  !$cppc init
  !$cppc register(i)
  do i = 1, 4
    !$cppc checkpoint
    call down(i)
    call sometimes(i)
  end do
  !$cppc shutdown
end program statics_below_a_recursion
recursive subroutine down(depth)
  implicit none
  integer, intent(in) :: depth
  if (depth > 0) then
    call down(depth - 1)
    return
  end if
  call count_all(depth)
end subroutine down
subroutine count_all(k)
  implicit none
  integer, intent(in) :: k
  integer, save :: n = 0
  !$cppc register(n)
  n = n + k + 1
  print *, n
end subroutine count_all
recursive subroutine sometimes(depth)
  implicit none
  integer, intent(in) :: depth
  integer, save :: lost = 0
  lost = lost + depth
  print *, lost
  if (depth > 2) return
  call sometimes(depth + 1)
end subroutine sometimes
