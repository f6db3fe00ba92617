! Exercises: a type-bound procedure whose passed object is not its first argument.
module jm
  implicit none
  type obj
    integer :: v = 1
  contains
    procedure, pass(me) :: upd2
  end type
contains
  subroutine upd2(k, me)
    integer, intent(inout) :: k
    class(obj), intent(in) :: me
    k = k + 1
    !$cppc checkpoint
    k = k + me%v
  end subroutine
end module
program j1
  use jm
  implicit none
  type(obj) :: o
  integer :: i, l
  l = 0
  !$cppc init
  !$cppc register(l)
  do i = 1, 2
    call o%upd2(l)
  end do
  print *, l
  !$cppc shutdown
end program
