! An allocatable that has to be named at the checkpoint, where its name means another variable.
program array_hidden
  implicit none
  real(8), allocatable :: a(:)
  integer :: i
  allocate (a(3))
  a = 1
  !$cppc init
  !$cppc register(a)
  do i = 1, 3
    a = a + i
    block
!   ~~~~~ error[C0517] `a` is hidden in here by another variable of this name
      integer :: a
      a = i
      !$cppc checkpoint
    end block
  end do
  !$cppc shutdown
  print *, a
end program array_hidden
