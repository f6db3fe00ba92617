! Standard input through a unit in a variable and a dummy argument. A unit of a file, and an internal file, are none.
! reports: read
program main
  use iso_fortran_env, only: input_unit
  implicit none
  integer :: step, n, total, in, other
  character(len=8) :: text
  in = 5
  total = 0
  !$cppc init
  read (input_unit, *) n
  !$cppc execute file(other, 'numbers')
  open (newunit=other, file='numbers')
  !$cppc end execute
  !$cppc register(step, n, total, in)
  do step = 1, 10
    !$cppc checkpoint
    read (other, '(a)') text
    read (text, *) n
    call next(in)
  end do
  print *, total
  !$cppc shutdown
contains
  subroutine next(unit)
    integer, intent(in) :: unit
    read (unit, *) n
    total = total + n
  end subroutine
end program main
