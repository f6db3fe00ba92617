! Exercises: a registered scalar that a procedure on the way to the checkpoint changes.
program b08
   implicit none
   real(8) :: x
   integer :: i
   x = 2
!$cppc init
!$cppc register(x)
   do i = 1, 3
      call g(x)
   end do
   print *, i, x
!$cppc shutdown
end
subroutine g(y)
   implicit none
   real(8) :: y
   y = y + 1
!$cppc checkpoint
end subroutine
