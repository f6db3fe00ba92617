! Pointers to a component or a substring of each element of an array.
module holders
  implicit none
  type cell
    real :: x
    integer :: k
  end type cell
  type holder
    real, pointer :: parts(:)
    real, pointer :: columns(:)
  end type holder
  real, pointer :: chosen(:) => null()
contains
  subroutine choose(p, c)
    real, pointer, intent(out) :: p(:)
    type(cell), target :: c(:)
    p => c%x
  end subroutine choose
  function imaginary(z) result(p)
    complex, target, intent(in) :: z(:)
    real, pointer :: p(:)
    p => z%im
  end function imaginary
end module holders

program pointer_to_parts
  use holders
  implicit none
  type(cell), target :: c(4)
  type(holder) :: h
  complex, target :: z(3)
  character(4), target :: names(3)
  real, target :: a(4, 4)
  real, pointer :: xs(:), again(:), found(:), one, whole(:), column(:)
  character(2), pointer :: sub(:)
  integer :: i
  c = cell(0, 0)
  z = 0
  names = ''
  a = 0
  xs => c%x
  again => xs(2:)
  found => imaginary(z)
  one => c(2)%x
  whole => a(1, :)
  column => a(:, 2)
  sub => names(:)(2:3)
  call choose(chosen, c)
  h%parts => z%re
  h%columns => a(:, 1)
  !$cppc init
  !$cppc register(c, z, names, a)
  !$cppc register(xs, again)
!                 ~~ error[C0452] the elements of `xs` are not contiguous
!                     ~~~~~ error[C0452] the elements of `again` are not contiguous
  !$cppc register(found, sub, chosen)
!                 ~~~~~ error[C0452] the elements of `found` are not contiguous
!                        ~~~ error[C0452] the elements of `sub` are not contiguous
!                             ~~~~~~ error[C0452] the elements of `chosen` are not contiguous
  !$cppc register(h%parts, h%columns)
!                 ~~~~~~~ error[C0452] the elements of `h%parts` are not contiguous
  !$cppc register(one, whole, column)
  do i = 1, 3
    !$cppc checkpoint
    print *, xs, again, found, one, whole, column, sub, chosen, h%parts, h%columns
  end do
  !$cppc shutdown
end program pointer_to_parts
