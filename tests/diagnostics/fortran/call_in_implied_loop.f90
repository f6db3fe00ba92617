! A function that leads to a checkpoint is called once for each turn of an implied loop.
program implied
  implicit none
  integer :: k, a(3)
  !$cppc init
  a = [(step(k), k = 1, 3)]
!       ~~~~~~~ error[C0503] the call of `call_in_implied_loop.f90:implied%step` cannot be moved to a statement of its own
  print *, (step(a(k)), k = 1, 3)
!           ~~~~~~~~~~ error[C0503] the call of `call_in_implied_loop.f90:implied%step` cannot be moved to a statement of its own
contains
  integer function step(n)
    integer, intent(in) :: n
    !$cppc checkpoint
    step = n + 1
  end function step
end program implied
