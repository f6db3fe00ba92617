! Exercises: variables and procedures named like keywords and intrinsics, around blocks.
program program_
  implicit none
  integer :: if, do, size, end, call, goto, register, checkpoint, init
  real(8) :: real, sum, real8
  logical :: then
  integer :: print(3), integer, write, select, case, where, abs
  if = 1; do = 2; size = 3; end = 4; call = 5; goto = 6; register = 7; checkpoint = 8; init = 9
  real = 0.5d0; sum = 1; then = .false.; print = 3; integer = 1; write = 0; select = 2; case = 3; where = 1; abs = -1
  real8 = 1
  !$cppc init
  !$cppc register(if, do, size, end, call, goto, register, checkpoint, init)
  !$cppc register(real, sum, then, print, integer, write, select, case, where, abs)
  do do = 1, 4
    if (if > 3) then
      if = do
    end if
    !$cppc checkpoint
    if (if .gt. 1) call data(call); if = if + do
    do_end: if (do > 0) then; end = do; end if do_end
    select case (case)
    case (3)
      case = 4
      !$cppc checkpoint
      end = end + case
    case default
      case = 3
    end select
    where = where + abs
    print(where - where + 1) = size
    size = size + write; write = write + 1; goto = goto * 2; register = register - checkpoint; init = init + select
    then = .not. then; real = real * 1.5d0; sum = sum + real; integer = integer * 2
    write (*, '(12i6, l2, 2(1x, z16.16))') if, do, size, end, call, goto, register, checkpoint, init, print, then, real, sum
    write (*, '(6i6)') integer, write, select, case, where, abs
  end do
  !$cppc shutdown
contains
  subroutine data(data_)
    integer, intent(inout) :: data_
    data_ = data_ + 1
    !$cppc checkpoint
    data_ = data_ * 2
  end subroutine data
end program program_
