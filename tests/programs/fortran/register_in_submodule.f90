! A submodule uses the module of a type, and not the name of the type.
!
! compilers: gfortran
module lists
  implicit none
  type :: node
    integer :: value
    type(node), pointer :: next => null()
  end type node
  type(node), pointer :: head => null()
contains
  subroutine push(value)
    integer, intent(in) :: value
    type(node), pointer :: new
    allocate (new)
    new%value = value
    new%next => head
    head => new
  end subroutine push
end module lists

module works
  implicit none
  interface
    module subroutine work(times)
      integer, intent(in) :: times
    end subroutine work
  end interface
end module works

submodule (works) implementation
  use lists, only: head, push
  implicit none
contains
  module procedure work
    integer :: i
    !$cppc register(head, i)
    do i = 1, times
      !$cppc checkpoint
      call push(i)
      print *, i, head%value, associated(head%next)
    end do
  end procedure work
end submodule implementation

program register_in_submodule
  use works
  implicit none
  !$cppc init
  call work(5)
  !$cppc shutdown
end program register_in_submodule
