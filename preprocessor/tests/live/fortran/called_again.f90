! A restart evaluates the pointer to the called procedure, and structures that are passed by value, again. `kept` is set before
! `init`, and `silent` is read after checkpoints in any case.
! reports: chosen, copied, silent
module work
  implicit none
  abstract interface
    subroutine action(n)
      integer, intent(in) :: n
    end subroutine action
  end interface
  type job
    integer, pointer :: at(:)
    integer :: n
  end type job
contains
  subroutine odd(n)
    integer, intent(in) :: n
    !$cppc checkpoint
    print *, 'odd', n
  end subroutine odd
  subroutine even(n)
    integer, intent(in) :: n
    !$cppc checkpoint
    print *, 'even', n
  end subroutine even
  subroutine quiet(n)
    integer, intent(in) :: n
    print *, 'quiet', n
  end subroutine quiet
  subroutine run(j)
    type(job), value :: j
    !$cppc checkpoint
    print *, j%n, j%at
  end subroutine run
  subroutine apply(f, n)
    procedure(action) :: f
    integer, intent(in) :: n
    call f(n)
  end subroutine apply
end module work

program called_again
  use work
  implicit none
  procedure(action), pointer :: chosen, kept, silent
  type(job) :: copied
  integer, target :: first(2), second(2)
  integer :: i
  kept => odd
  first = 1
  second = 2
  !$cppc init
  !$cppc register(first, second)
  do i = 1, 4
    if (mod(i, 2) == 0) then
      chosen => even
      silent => quiet
      copied%at => first
    else
      chosen => odd
      silent => quiet
      copied%at => second
    end if
    copied%n = i
    call chosen(i)
    call kept(i)
    call silent(i)
    call apply(odd, i)
    call run(copied)
  end do
  !$cppc shutdown
end program called_again
