! Exercises: a file that was opened under a number of NEWUNIT= and is closed again; the library takes the number for
! internal files then, which have no file behind them.
! writes: files
! warns: appending
! compilers: gfortran
program open_internal
  implicit none
  integer :: step, unit, other
  real(8) :: x
  character(len=7) :: number
  character(len=12) :: pieces(2)
  x = 0
!$cppc init
!$cppc register(x)
  do step = 1, 8
!$cppc checkpoint
    x = x + step
    write (number, '(i7.7)') step
    if (mod(step, 3) == 1) then
!$cppc execute file(unit, 'time.out')
      open (newunit=unit, file='time.out', position='append')
!$cppc end execute
      write (pieces, '(a)') 'one', number
      write (unit, '(f8.1, 2a)') x, pieces
!$cppc checkpoint
      close (unit)
      write (number, '(i7.7)') 10 * step
      if (step == 4) then
        open (newunit=other, file='time.out', position='append')
        write (other, '(a)') 'outside'
        close (other)
      end if
    end if
    write (pieces, '(a)') number, 'x'
!$cppc checkpoint
  end do
!$cppc shutdown
  print *, x
end program open_internal
