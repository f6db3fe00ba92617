! Allocatable components and strings of a dummy argument, which an assignment may allocate anew before a checkpoint.
module assigned
  implicit none
  type series
    integer :: n = 0
    integer, allocatable :: a(:)
    character(:), allocatable :: name
  end type series
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
  character(:), allocatable :: text
  integer :: i
  !$cppc init
  s%a = [1]
  s%name = 'x'
  text = 'x'
  !$cppc register(s, text)
  do i = 1, 3
    call step(s, text, i)
    call replace(s, i)
  end do
  print *, s%n, s%a, s%name, text
  !$cppc shutdown
end program moves
