! Structures that contain themselves: twice each without allocatables, and once with one.
module m
   implicit none
   type a
      type(a) :: a1, a2, a3, a4
   end type a
   type b
      type(b) :: b1, b2
      real, allocatable :: x(:)
   end type b
   type(a) :: first(3)
   type(b) :: second(3)
end module m
program p
   use m
   implicit none
!$cppc init
!$cppc register(first, second)
!$cppc checkpoint
!$cppc shutdown
end program p
