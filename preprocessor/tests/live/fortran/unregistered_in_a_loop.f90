! The second checkpoint of the loop comes after `unregister`. `b` is registered again.
! reports: a
! all: a, d
program unregistered_in_a_loop
  implicit none
  integer :: i
  integer, save :: a, b, c, d
  !$cppc init
  a = 5
  b = 6
  c = 7
  d = 8
  !$cppc register(a, b, c, d)
  do i = 1, 4
    !$cppc checkpoint
    !$cppc unregister(a, b)
    a = a + i
    !$cppc register(b)
    call work(i)
  end do
  !$cppc shutdown
  print *, a, b, c, d
contains
  subroutine work(i)
    integer, intent(in) :: i
    !$cppc unregister(c, d)
    c = c + i
    !$cppc register(c)
  end subroutine
end program
