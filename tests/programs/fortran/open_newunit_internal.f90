! Exercises: units of NEWUNIT= that are opened and closed in turn, and internal writes that take over their numbers, also
! within the block that opened and closed them.
! writes: files
! compilers: gfortran
program open_newunit_internal
  implicit none
  integer :: step, unit, other, third
  real(8) :: x
  character(len=7) :: number
  x = 0
!$cppc init
!$cppc register(x)
  do step = 1, 30
!$cppc checkpoint
     x = x + step
     if (mod(step, 3) == 0) then
!$cppc execute file(unit, 'time.out') file(other, 'other.out')
        open (newunit=unit, file='time.out', position='append')
        open (newunit=other, file='other.out', position='append')
!$cppc end execute
        write (unit, *) x
        write (other, '(i0)') step
        if (mod(step, 2) == 0) close (unit)
        write (number, '(i7.7)') step
        close (other)
        if (mod(step, 2) == 1) close (unit)
     end if
!$cppc execute file(third, 'third.out')
     open (newunit=third, file='third.out')
     close (third)
     write (number, '(i7.7)') 5
!$cppc end execute
     write (number, '(i7.7)') step
     print *, number, x
  end do
!$cppc shutdown
  print *, x, number
end program
