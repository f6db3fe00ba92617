! The argument that is registered is allocated after `init`, and its pointer is not registered.
!
! compilers: gfortran
module s
  type :: solver
    integer :: n = 0
    class(*), pointer :: u => null()
  contains
    procedure :: run
  end type
contains
subroutine run(self)
  class(solver), intent(inout), target :: self
  integer :: i
  !$cppc register(self, i)
  do i = 1, 5
    !$cppc checkpoint
    self%n = self%n + 1
    print *, self%n
  end do
end subroutine
end module
program argument_not_allocated
  use s
  class(solver), allocatable, target :: v
  !$cppc init
  allocate (solver :: v)
  call v%run()
  !$cppc shutdown
end program argument_not_allocated
