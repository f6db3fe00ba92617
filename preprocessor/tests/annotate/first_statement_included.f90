! The first statements of the main program are in an included file.
program main
  implicit none
  integer :: i, n
  real(8) :: x, s
  include 'first_statements.inc'
  s = 0
  do i = 1, 8
!$cppc checkpoint
    s = s + x * n
  end do
  print *, s
end program main
