subroutine test(n, a)
  integer :: n
  logical, external :: check
  real :: a(n)
  if (n > 0 .and. check(n)) then
    a(1) = 1
  else if (n == 3) then
    a(2) = 2
  else
    a(3) = 3
  end if
  select case (n)
  case (1, 3:5)
    n = 2
  case (:0)
    return
  end select
end subroutine
