! The directives of a whole program.
program main
  integer :: i
  real(8) :: sum
  !$cppc init
  sum = 0
  !$cppc register(sum)
  do i = 1, 10
    !$cppc checkpoint
    sum = sum + i
  end do
  print *, sum
  !$cppc shutdown
end program
