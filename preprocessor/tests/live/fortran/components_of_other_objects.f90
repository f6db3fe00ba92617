! A register of a dummy argument, or of a component of it, saves the object of the running call.
! reports: a, b, c, d, e, f
module objects
  implicit none
  type counter
    real(8) :: x = 1
  contains
    procedure :: go
  end type counter
  type field
    real(8), allocatable :: u(:)
  end type field
contains
  subroutine go(self, k)
    class(counter), intent(inout) :: self
    integer, intent(in) :: k
    !$cppc register(self)
    !$cppc checkpoint
    self%x = self%x + k
  end subroutine go

  subroutine component(g)
    type(field), intent(inout) :: g
    !$cppc register(g%u)
    if (.not. allocated(g%u)) then
      allocate (g%u(3))
      g%u = 0
    end if
    !$cppc checkpoint
    g%u = g%u + 1
  end subroutine component

  subroutine whole(x)
    real(8), allocatable, intent(inout) :: x(:)
    !$cppc register(x)
    if (.not. allocated(x)) then
      allocate (x(3))
      x = 0
    end if
    !$cppc checkpoint
    x = x + 1
  end subroutine whole
end module objects

program components
  use objects
  implicit none
  type(counter) :: a, b
  type(field) :: c, d
  real(8), allocatable :: e(:), f(:)
  integer :: k
  !$cppc init
  a%x = 5
  b%x = 7
  do k = 1, 4
    call a%go(k)
    call b%go(2 * k)
    call component(c)
    call component(d)
    call whole(e)
    call whole(f)
    print *, k, a%x, b%x, c%u, d%u, e, f
  end do
  !$cppc shutdown
end program components
