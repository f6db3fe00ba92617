! Not each path of a recursion calls the procedure that registers its static variable. A path without the call does not
! change the variable. `lost` is also changed on a path without its register, and `gone` has none.
! reports: gone
! all: gone, lost
program statics_on_some_paths
  implicit none
  integer :: i
  !$cppc init
  !$cppc register(i)
  do i = 1, 4
    !$cppc checkpoint
    call down(i)
  end do
  !$cppc shutdown
end program statics_on_some_paths
recursive subroutine down(depth)
  implicit none
  integer, intent(in) :: depth
  if (mod(depth, 3) == 0) call count_all(depth)
  if (depth > 1) call back(depth)
end subroutine down
recursive subroutine back(depth)
  implicit none
  integer, intent(in) :: depth
  integer, save :: lost = 0, gone = 0
  if (depth > 2) then
    !$cppc register(lost)
    call down(depth - 1)
  end if
  lost = lost + depth
  gone = gone + 1
  print *, lost, gone
end subroutine back
subroutine count_all(k)
  implicit none
  integer, intent(in) :: k
  integer, save :: n = 0
  !$cppc register(n)
  if (n == k) return
  n = n + k + 1
  print *, n
end subroutine count_all
