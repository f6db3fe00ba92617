! Generated code outside of the module cannot name private components. Variables of these types can be registered.
module counters
  implicit none
  private
  type, public :: hidden
    private
    integer :: n = 0
  end type hidden
  type, public :: mixed
    private
    integer, public :: seen = 0
    integer :: unseen = 0
  end type mixed
  type, public :: open
    integer :: seen = 0
  end type open
  type, public :: listed
    integer, allocatable, private :: list(:)
  end type listed
  public :: inside
contains
  subroutine inside(h)
    type(hidden), intent(inout) :: h
    !$cppc register(h)
    h%n = h%n + 1
    !$cppc checkpoint
  end subroutine inside
end module counters

program private_components
  use counters
  implicit none
  type(hidden) :: h, many(3)
  type(mixed) :: m
  type(open) :: o
  type(listed) :: l(2)
  integer :: i
  !$cppc init
  !$cppc register(h%n, o)
!                 ~~~ error[C0454] the component `n` of `h` is private
  !$cppc register(many(2)%n)
!                 ~~~~~~~~~ error[C0454] the component `n` of `many(2)` is private
  !$cppc register(m%unseen)
!                 ~~~~~~~~ error[C0454] the component `unseen` of `m` is private
  !$cppc register(l, i)
  do i = 1, 3
    call inside(h)
    !$cppc checkpoint
  end do
  !$cppc shutdown
end program private_components
