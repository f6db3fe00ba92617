module shapes
  implicit none
  type, abstract :: shape
    character(len=:), allocatable :: name
    integer, pointer :: count => null()
    integer, allocatable :: sides(:)
  contains
    procedure(grow_shape), deferred :: grow
  end type shape
  type :: holder
    class(shape), allocatable :: kept
  end type holder
  abstract interface
    subroutine grow_shape(self)
      import :: shape
      class(shape), intent(inout) :: self
    end subroutine grow_shape
  end interface
  interface
    module subroutine make(this)
      type(holder), intent(inout) :: this
    end subroutine make
  end interface
end module shapes
