module bound
  implicit none
  type thing
    integer :: v = 1
  contains
    procedure, pass(me) :: last
    procedure, pass(me) :: middle
    procedure, nopass :: none
    generic :: any => last, middle
  end type thing
contains
  subroutine last(k, me)
    integer, intent(inout) :: k
    class(thing), intent(in) :: me
    k = k + me%v
    !$cppc checkpoint
  end subroutine last
  subroutine middle(j, me, k)
    integer, intent(in) :: j
    class(thing), intent(in) :: me
    integer, intent(inout) :: k
    k = k + j + me%v
    !$cppc checkpoint
  end subroutine middle
  subroutine none(k, j)
    integer, intent(inout) :: k
    integer, intent(in) :: j
    k = k + j
    !$cppc checkpoint
  end subroutine none
end module bound

recursive integer function fib(n) result(r)
  integer, intent(in) :: n
  r = n
  !$cppc checkpoint
  if (n > 1) r = fib(n - 1) + fib(n - 2)
end function fib

program passed
  use bound
  type(thing) :: o
  integer :: a, b, c, d, e
  call o%last(a)
  call o%middle(e, b)
  call o%none(c, e)
  call o%any(d)
end program passed
