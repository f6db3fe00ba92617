! Exercises: a variable of the main program that an internal procedure registers: it outlives that procedure, however
! near to its frame the compiler has put it.
program p
  implicit none
  integer :: it, loc
  loc = 0
  !$cppc init
  call reg_host
  do it = 1, 4
    !$cppc checkpoint
    loc = loc + it
    call bump
  end do
  print *, loc
  !$cppc shutdown
contains
  subroutine reg_host
    !$cppc register(loc)
  end subroutine
  subroutine bump
    loc = loc*2
  end subroutine
end program
