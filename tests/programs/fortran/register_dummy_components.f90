! Exercises: a structure that a caller registers, and whose allocatable components move in the procedure with the
! checkpoint, which registers its argument too: by assignment, as a whole, in a called procedure, and in a recursion.
module dummy_components
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
!$cppc register(t, text)
    t%a = [t%a, n]
    t%name = t%name // achar(96 + n)
    text = text // repeat('ab', n)
    t%n = t%n + n
!$cppc checkpoint
    t%a = [t%a, -n]
    text = text // achar(64 + n)
  end subroutine step
  subroutine replace(t, n)
    class(series), intent(inout) :: t
    integer, intent(in) :: n
!$cppc register(t%a)
    call change(t, n)
!$cppc checkpoint
    t%a(1) = t%a(1) + n
  end subroutine replace
  subroutine change(t, n)
    class(series), intent(inout) :: t
    integer, intent(in) :: n
    t%a = [n, t%a(size(t%a):1:-1)]
  end subroutine change
  recursive subroutine descend(depth, t)
    integer, intent(in) :: depth
    type(series), intent(inout) :: t
!$cppc register(t)
    if (depth > 0) call descend(depth - 1, t)
!$cppc checkpoint
    t%n = t%n + 1
    t%a = [t%a, t%n]
  end subroutine descend
end module dummy_components
program main
  use dummy_components
  implicit none
  type(series) :: s
  character(:), allocatable :: text
  integer :: i
!$cppc init
  s%a = [1]
  s%name = 'x'
  text = 'x'
!$cppc register(s, text, i)
  do i = 1, 4
    call step(s, text, i)
    call replace(s, i)
    call descend(mod(i, 3), s)
    print *, i, s%n, s%a, s%name, text
  end do
!$cppc shutdown
end program main
