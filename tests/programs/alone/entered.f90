! Exercises: nothing but a loop around a checkpoint, for what happens when it is not entered by its header.
program entered
  implicit none
  integer :: i, n
  n = 0
  !$cppc init
  !$cppc register(n)
  do i = 1, 6
    n = n + i
    !$cppc checkpoint
    print '(2i4)', i, n
  end do
  !$cppc shutdown
end program entered
