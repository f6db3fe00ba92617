! Exercises: variables with SAVE of procedures that are called only after the checkpoint: a module procedure, an internal one,
! a recursive one, and those of another file in fixed form.
! order: main.f90 parts.f
module places
  implicit none
contains
  real(8) function mean(x)
    real(8), intent(in) :: x
    integer, save :: calls = 0
    real(8), save :: total = 0.25d0, recent(0:2) = 0
    !$cppc register(calls, total)
    !$cppc register(recent)
    calls = calls + 1
    total = total + x
    recent(mod(calls, 3)) = x
    mean = total / calls + recent(mod(calls + 1, 3))
  end function

  recursive integer function depth(n) result(found)
    integer, intent(in) :: n
    integer, save :: deepest = 0
    character(len=6), save :: word = 'start'
    !$cppc register(deepest, word)
    found = n
    if (n > 0) found = 1 + depth(n - 2)
    deepest = deepest + n
    write (word, '(i6)') deepest
    if (word(6:6) == '5') found = found + 100
  end function
end module

program statics
  use places
  implicit none
  integer :: i, found
  integer, external :: noise, seldom
  real(8) :: x
  found = noise()
  x = 0
  !$cppc init
  !$cppc register(x, found)
  do i = 0, 11
    !$cppc checkpoint
    x = x + mean(real(i, 8)) * merge(0.5d0, 0.75d0, mod(noise(), 2) == 0)
    if (mod(i, 5) == 4) found = found + seldom(i)
    if (mod(i, 4) == 3) found = found + depth(i)
    print '(i3, i12, 1x, z16.16, l2)', i, found, x, flips()
  end do
  !$cppc shutdown
contains
  logical function flips()
    logical, save :: state = .false.
    !$cppc register(state)
    state = .not. state
    flips = state
  end function
end program
