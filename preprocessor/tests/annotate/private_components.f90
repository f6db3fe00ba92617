! The components of a type are private in its module.
module accumulators
  implicit none
  private
  type, public :: accumulator
    private
    real(8) :: total = 0
    real(8), allocatable :: values(:)
  contains
    procedure :: add
    procedure :: show
  end type accumulator
contains
  subroutine add(self, x)
    class(accumulator), intent(inout) :: self
    real(8), intent(in) :: x
    if (.not. allocated(self%values)) allocate (self%values(4), source=0d0)
    self%total = self%total + x
    self%values(mod(int(x), 4) + 1) = x
  end subroutine add

  subroutine show(self)
    class(accumulator), intent(in) :: self
    print *, self%total, self%values
  end subroutine show
end module accumulators

program main
  use accumulators
  implicit none
  type(accumulator) :: a, b(2)
  integer :: i
  do i = 1, 8
!$cppc checkpoint
    call a%add(real(i, 8))
    call b(mod(i, 2) + 1)%add(real(i, 8))
  end do
  call a%show
  call b(1)%show
end program main
