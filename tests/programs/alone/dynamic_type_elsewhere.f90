! A polymorphic variable has a dynamic type that neither its register nor the procedure with `init` can name.
!
! compilers: gfortran
module shapes
  implicit none
  type :: shape
    integer :: id = 1
  end type shape
  type :: holder
    class(shape), allocatable :: kept
  end type holder
  type(holder) :: all
end module shapes

subroutine make(number)
  use shapes
  implicit none
  integer, intent(in) :: number
  type, extends(shape) :: circle
    real(8) :: r = 2
  end type circle
  if (allocated(all%kept)) deallocate (all%kept)
  if (mod(number, 2) == 0) then
    allocate (circle :: all%kept)
  else
    allocate (shape :: all%kept)
  end if
  all%kept%id = number
end subroutine make

program dynamic_type_elsewhere
  use shapes
  implicit none
  integer :: i
  !$cppc init
  !$cppc register(all, i)
  do i = 1, 4
    call make(i)
    !$cppc checkpoint
    print *, all%kept%id
  end do
  !$cppc shutdown
end program dynamic_type_elsewhere
