! Exercises: units of NEWUNIT that a restart opens with other numbers: as an argument of calls on the way to a checkpoint,
! also of a dummy argument, and in a module variable that is registered.
! writes: files
! compilers: gfortran
module logs
  implicit none
  integer :: log_unit = -1
end module
program numbers
  use logs
  implicit none
  integer :: first, own, k
  real :: x
!$cppc init
!$cppc execute file(first, 'numbers_first.txt')
  open (newunit=first, file='numbers_first.txt', action='readwrite')
!$cppc end execute
  write (first, *) 1.5
  rewind (first)
  read (first, *) x
  close (first)
!$cppc execute file(log_unit, 'numbers_log.txt')
  open (newunit=log_unit, file='numbers_log.txt', status='replace', action='write')
!$cppc end execute
!$cppc execute file(own, 'numbers_own.txt')
  open (newunit=own, file='numbers_own.txt', status='replace', action='write')
!$cppc end execute
!$cppc register(x, module logs)
  call pass_on(own)
  close (log_unit)
  close (own)
  print *, x
!$cppc shutdown
contains
  subroutine pass_on(one)
    integer, intent(in) :: one
    call run(one)
  end subroutine
  subroutine run(unit)
    integer, intent(in) :: unit
    !$cppc register(k)
    do k = 1, 5
!$cppc checkpoint
      x = x * 1.5
      write (unit, *) k, x
      write (log_unit, *) 'log', k
    end do
  end subroutine
end program
