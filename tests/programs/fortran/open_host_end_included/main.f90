! Exercises: a unit that a module procedure opens, where the end of the module is in an included file: the
! generated subroutine for units cannot be contained in the module.
! writes: files
! compilers: gfortran
module work
  implicit none
  integer :: log = 0
contains
  subroutine steps(total)
    integer, intent(inout) :: total
    integer :: i
!$cppc execute file(log, 'log.txt') file(12, 'raw.bin')
    open (newunit=log, file='log.txt')
    open (12, file='raw.bin', form='unformatted', access='stream')
!$cppc end execute
!$cppc register(i)
    do i = 1, 12
!$cppc checkpoint
      total = total + i
      write (log, '(a, i0)', advance='no') 'step ', i
      write (12) total
      if (mod(i, 3) /= 0) write (log, *) total
      print *, i, total
    end do
    close (log)
    close (12)
  end subroutine steps
include 'end.inc'

program main
  use work
  implicit none
  integer :: total
  total = 0
!$cppc init
!$cppc register(total)
  call steps(total)
!$cppc shutdown
  print *, total
end program main
