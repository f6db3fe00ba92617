! Checkpoints, registers, execute blocks and calls that lead to checkpoints inside of `select type`.
!
! compilers: gfortran
module shapes
  implicit none
  type :: shape
    integer :: id = 0
    real(8) :: total = 0
  end type shape
  type, extends(shape) :: circle
    real(8) :: r = 1
  end type circle
  type, extends(circle) :: ring
    real(8), allocatable :: radii(:)
  end type ring
  integer :: made(3) = 0
contains
  subroutine grow(self, times)
    class(shape), intent(inout) :: self
    integer, intent(in) :: times
    integer :: i, local
    local = 3 * times
    !$cppc register(self, local)
    outer: select type (self)
    class default
      !$cppc execute
      made(1) = 1
      !$cppc end execute
      do i = 1, times
        self%total = self%total + self%id
        !$cppc checkpoint
        self%id = self%id + 1
      end do
    type is (circle)
      self%r = self%r + 1
      do i = 1, times
        !$cppc checkpoint
        self%r = self%r * 1.5d0
        call helper(self, i)
      end do
      local = local + 1
    class is (ring)
      block
        integer :: inner
        inner = local
        !$cppc register(inner)
        do i = 1, times
          self%radii(i) = self%radii(i) + inner
          !$cppc checkpoint
          inner = inner + i
        end do
        self%total = self%total + inner
      end block
    end select outer
    self%total = self%total + local
    print *, 'grow', self%id, self%total, local
  end subroutine grow

  subroutine helper(this, i)
    class(shape), intent(inout), target :: this
    integer, intent(in) :: i
    !$cppc register(i)
    select type (mine => this)
    type is (shape)
      mine%id = -1
    class is (circle)
      mine%id = mine%id + i
      !$cppc execute capture(i)
      made(2) = i
      !$cppc end execute
      !$cppc checkpoint
      mine%total = mine%total + mine%r
    end select
    !$cppc checkpoint
    this%total = this%total + 1
  end subroutine helper
end module shapes

program blocks_select_type
  use shapes
  implicit none
  type(shape) :: a
  type(circle) :: b
  type(ring) :: c
  integer :: step
  !$cppc init
  allocate (c%radii(3))
  c%radii = 1
  !$cppc register(a, b, c, step)
  do step = 1, 2
    call grow(a, 3)
    call grow(b, 3)
    call grow(c, 3)
    !$cppc checkpoint
    print *, step, a%total, b%total, b%r, c%radii, c%total
  end do
  !$cppc shutdown
  print *, a%id, b%id, c%id, made
end program blocks_select_type
