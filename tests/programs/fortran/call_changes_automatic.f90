! Exercises: registered variables of a subroutine that are changed, as arguments, below it.
program b09
   implicit none
!$cppc init
   call work(3)
!$cppc shutdown
end
subroutine work(n)
   implicit none
   integer, intent(in) :: n
   real(8) :: x, z(2), q
   integer :: i
   character(3) :: c
   x = 2; z = 1; c = 'abc'; q = 1
!$cppc register(x, z, c, q)
   do i = 1, n
      call g(x, z, c, z(2))
      x = x + q
   end do
   print *, i, x, z, c, q
end
subroutine g(y, z, c, w)
   implicit none
   real(8), intent(inout) :: y, z(2), w
   character(*), intent(inout) :: c
   y = y + 1
   z(1) = z(1) + y
   w = w + 2
   c(1:1) = achar(iachar(c(1:1))+1)
!$cppc checkpoint
   y = y * 1.5d0
end subroutine
