! Sections and more subscripts than there are dimensions.
program sections
  implicit none
  integer :: a(10), b(4, 4), i
  a = 0; b = 0
  !$cppc init
  !$cppc register(a(1:4:2))
!                 ~~~~~~~~ error[C0452] the elements of a section of `a` are not contiguous
  !$cppc register(b(1, 2, 3))
!                 ~~~~~~~~~~ error[C0426] `b` has 2 dimensions, not 3
  !$cppc register(i(3))
!                 ~~~~ error[C0426] `i` has no elements to count
  do i = 1, 3
    !$cppc checkpoint
    a(i) = b(i, i)
  end do
  print *, a
end program sections
