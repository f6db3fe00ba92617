! The translation saves the variable of the loop, and not the other variables of its block or its array.
! reports: m, n
program loop_variable_in_common
  implicit none
  integer :: i, j, n, m(3)
  common /block/ i, n
  equivalence (j, m(1))
  !$cppc init
  n = 5
  m = 7
  do i = 1, 3
    !$cppc checkpoint
    n = n - 1
    print *, i, n
  end do
  do j = 1, 3
    !$cppc checkpoint
    print *, j, m(2:3)
  end do
  !$cppc shutdown
end program
