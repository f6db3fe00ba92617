! A polymorphic pointer points to a local variable whose dynamic type has no name where the pointer is registered.
!
! compilers: gfortran
module shapes
  type :: shape
    integer :: id = 1
  end type
  type :: holder
    class(shape), pointer :: p => null()
  end type
contains
  subroutine work(h)
    type(holder), intent(inout) :: h
    integer :: i
    !$cppc register(h, i)
    do i = 1, 4
      !$cppc checkpoint
      h%p%id = h%p%id + 1
      print *, h%p%id
    end do
  end subroutine
end module
subroutine run
  use shapes
  type, extends(shape) :: circle
    real(8) :: r = 2
  end type
  type(circle), target :: c
  type(holder) :: h
  h%p => c
  call work(h)
end subroutine
program dynamic_type_on_stack
  !$cppc init
  call run
  !$cppc shutdown
end program dynamic_type_on_stack
