! The dynamic type of an argument comes from the environment, and no register has it.
!
! compilers: gfortran
module shapes
  implicit none
  type :: shape
    integer :: id = 1
  end type shape
  type, extends(shape) :: circle
    integer :: r = 2
  end type circle
contains
  subroutine work(self)
    class(shape), intent(inout) :: self
    integer :: i
    select type (self)
    type is (circle)
      do i = 1, 4
        !$cppc checkpoint
        print *, 'circle', i, self%r
      end do
    class default
      print *, 'shape', self%id
    end select
  end subroutine work
end module shapes

program other_dynamic_type
  use shapes
  implicit none
  class(shape), pointer :: p
  character(len=8) :: word
  call get_environment_variable('WHICH_SHAPE', word)
  if (word == 'shape') then
    allocate (shape :: p)
  else
    allocate (circle :: p)
  end if
  !$cppc init
  call work(p)
  !$cppc shutdown
end program other_dynamic_type
