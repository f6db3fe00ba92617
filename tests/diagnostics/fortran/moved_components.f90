! Allocatable components and strings of a dummy argument, which an assignment may allocate anew before a checkpoint.
module assigned
  implicit none
  type series
    integer :: n = 0
    integer, allocatable :: a(:)
    character(:), allocatable :: name
  contains
    procedure :: advance => bound_to_type
  end type series
  type pair
    type(series) :: first, second
  end type pair
contains
  subroutine step(t, text, n)
    type(series), intent(inout) :: t
    character(:), allocatable, intent(inout) :: text
    integer, intent(in) :: n
    t%n = t%n + n
    t%a = t%a + n
    t%a(:) = n
    t%a = [t%a, n]
!   ~~~ warning[C0458] the caller of `step` registers `t%a`, whose memory may move here
    t%name = t%name // 'x'
!   ~~~~~~ warning[C0458] the caller of `step` registers `t%name`, whose memory may move here
    text = text // 'x'
!   ~~~~ warning[C0458] the caller of `step` registers `text`, whose memory may move here
    !$cppc checkpoint
  end subroutine step
  subroutine replace(t, n)
    class(series), intent(inout) :: t
    integer, intent(in) :: n
    call change(t, n)
!               ~ warning[C0458] the caller of `replace` registers `t%a`, whose memory may move here
    !$cppc checkpoint
  end subroutine replace
  subroutine bound_to_type(self, n)
    class(series), intent(inout) :: self
    integer, intent(in) :: n
    self%a = pack(self%a, self%a > n)
!   ~~~~~~ warning[C0458] the caller of `bound_to_type` registers `self%a`, whose memory may move here
    !$cppc checkpoint
  end subroutine bound_to_type
  subroutine part_of_a_structure(t, n)
    type(series), intent(inout) :: t
    integer, intent(in) :: n
    associate (x => t)
      x%a = [x%a, n]
!     ~~~ warning[C0458] the caller of `part_of_a_structure` registers `t%a`, whose memory may move here
    end associate
    !$cppc checkpoint
  end subroutine part_of_a_structure
  subroutine selected(t, n)
    class(series), intent(inout) :: t
    integer, intent(in) :: n
    select type (t)
    type is (series)
      t%a = [t%a, n]
!     ~~~ warning[C0458] the caller of `selected` registers `t%a`, whose memory may move here
    end select
    !$cppc checkpoint
  end subroutine selected
  subroutine change(t, n)
    class(series), intent(inout) :: t
    integer, intent(in) :: n
    t%a = [t%a, n]
  end subroutine change
end module assigned
program moves
  use assigned
  implicit none
  type(series) :: s
  type(pair) :: p
  character(:), allocatable :: text
  integer :: i
  !$cppc init
  s%a = [1]
  s%name = 'x'
  text = 'x'
  p%first = s
  p%second = s
  !$cppc register(s, p, text)
  do i = 1, 3
    call step(s, text, i)
    call replace(s, i)
    call selected(s, i)
    call s%advance(i)
    call part_of_a_structure(p%second, i)
  end do
  print *, s%n, s%a, s%name, text
  !$cppc shutdown
end program moves
