! Exercises: variables of procedures that keep their values because of an option.
! flags: -fno-automatic
! compilers: gfortran
program option_no_automatic
  implicit none
  integer :: i
  !$cppc init
  call sum_up(0)
  !$cppc register(i)
  do i = 1, 4
    !$cppc checkpoint
    call sum_up(i)
  end do
  !$cppc shutdown
end program option_no_automatic

subroutine sum_up(i)
  implicit none
  integer, intent(in) :: i
  integer :: total
  !$cppc register(total)
  if (i == 0) total = 0
  total = total + i
  print *, i, total
end subroutine sum_up
