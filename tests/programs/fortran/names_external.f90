! Exercises: every procedure that is called has to be declared.
program p
  implicit none (type, external)
  integer :: i
  !$cppc init
  do i = 1, 3
    !$cppc checkpoint
  end do
  print *, i
  !$cppc shutdown
end program
