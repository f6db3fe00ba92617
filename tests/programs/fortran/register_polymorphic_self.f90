! An object on the heap is registered as an argument, and memory that it reaches points back to it. Once the caller registers the
! pointer to the object too.
!
! compilers: gfortran
module solvers
  implicit none
  type :: child
    class(solver), pointer :: parent => null()
    type(child), pointer :: sibling => null()
  end type child
  type :: solver
    integer :: n = 0
    type(child), pointer :: first => null()
  contains
    procedure :: run
    procedure :: step
  end type solver
  type, extends(solver) :: larger
    real(8) :: x(4) = 0
    type(solver), pointer :: inner => null()
  end type larger
contains
  subroutine connect(this)
    class(solver), intent(inout), target :: this
    allocate (this%first)
    this%first%parent => this
    allocate (this%first%sibling)
    this%first%sibling%parent => this
    this%first%sibling%sibling => this%first
  end subroutine connect

  subroutine run(self, times)
    class(solver), intent(inout), target :: self
    integer, intent(in) :: times
    integer :: i
    !$cppc register(self, i)
    do i = 1, times
      !$cppc checkpoint
      self%n = self%n + i
      call self%step()
      print *, self%first%parent%n, self%first%sibling%parent%n, associated(self%first%parent, self)
    end do
  end subroutine run

  subroutine step(self)
    class(solver), intent(inout), target :: self
    select type (self)
    class is (larger)
      self%x = self%x + self%n
      if (associated(self%inner)) call self%inner%run(2)
    end select
    !$cppc checkpoint
    self%n = self%n + 1
  end subroutine step
end module solvers

program polymorphic_self
  use solvers
  implicit none
  class(solver), allocatable, target :: before
  class(solver), pointer :: after
  allocate (larger :: before)
  call connect(before)
  nullify (after)
  !$cppc init
  call before%run(3)
  allocate (larger :: after)
  call connect(after)
  select type (after)
  class is (larger)
    allocate (after%inner)
    call connect(after%inner)
  end select
  !$cppc register(after)
  call after%run(3)
  !$cppc shutdown
  select type (after)
  class is (larger)
    print *, after%x, after%inner%n
  end select
end program polymorphic_self
