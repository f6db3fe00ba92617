! Pointers that are set below a call with an argument that goes through them.
module state
  implicit none
  type part
    real(8), pointer :: values(:)
  end type part
  real(8), pointer :: now(:), other(:), fixed(:)
  type(part) :: all
contains
  subroutine exchange()
    now => other
    all%values => other
  end subroutine exchange

  subroutine work(x)
    real(8) :: x(:)
    call exchange
    !$cppc checkpoint
    x(1) = x(1) + 1
  end subroutine work

  subroutine move(p)
    real(8), pointer :: p(:)
    !$cppc register(p)
    p => other
    !$cppc checkpoint
  end subroutine move

  subroutine look(first)
    real(8), intent(in) :: first
    now => other
    !$cppc checkpoint
    print *, first
  end subroutine look

  subroutine quiet(x)
    real(8) :: x(:)
    x = x + 1
    !$cppc checkpoint
  end subroutine quiet
end module state

program main
  use state
  implicit none
  !$cppc init
  allocate (other(3), fixed(3), all%values(3))
  now => fixed
  !$cppc register(other, fixed, now)
  call work(now)
!           ~~~ warning[C0459] `now` may have another target when `work` reaches a checkpoint
  call work(all%values)
!           ~~~~~~~~~~ warning[C0459] `values` may have another target when `work` reaches a checkpoint
  call work(fixed)
  call move(now)
  call look(now(1))
  call quiet(now)
  !$cppc shutdown
end program main
