! Exercises: execute blocks that open, write and close their files: numbered units, one of NEWUNIT=, a procedure that closes,
! several files in one block, a file that is written anew, one that a later block opens and keeps, and one that the block
! reads after it has written it.
! writes: files
! compilers: gfortran
program open_closed_within
  implicit none
  integer :: step, unit, other, kept
  real(8) :: x
  character(len=8) :: text
  unit = 17
  x = 0
  text = ' '
!$cppc init
!$cppc register(x, text)
! As a run finds them that is started from the beginning.
!$cppc execute file(21, 'kept.out') file(22, 'back.out') file(23, 'time.out') file(24, 'other.out')
  open (unit=21, file='kept.out', status='replace')
  close (21)
  open (unit=22, file='back.out', status='replace')
  close (22)
  open (unit=23, file='time.out', status='replace')
  close (23)
  open (unit=24, file='other.out', status='replace')
  close (24)
!$cppc end execute
!$cppc execute file(21, 'kept.out')
  open (unit=21, file='kept.out', position='append')
  write (21, *) 'head'
  close (21)
!$cppc end execute
!$cppc execute file(kept, 'kept.out')
  open (newunit=kept, file='kept.out', position='append')
!$cppc end execute
!$cppc execute file(22, 'back.out')
  open (unit=22, file='back.out', position='append')
  write (22, '(a)') 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'
  close (22)
  open (unit=22, file='back.out', action='read')
!$cppc end execute
  do step = 1, 8
!$cppc checkpoint
     x = x + step
!$cppc execute capture(step) file(unit, 'time.out') file(other, 'other.out') file(19, 'newest.out')
     open (unit=unit, file='time.out', position='append')
     write (unit, *) 'block', 1
     close (unit)
     open (newunit=other, file='other.out', position='append', form='unformatted', access='stream')
     write (other) step
     call close_it(other)
     open (unit=19, file='newest.out', status='replace')
     write (19, '(a, i0)') repeat('-', 20 - mod(step, 3) * 5), step
     close (19)
!$cppc end execute
!$cppc checkpoint
     write (kept, *) step, x
     read (22, '(a)') text
     print *, step, x, text
  end do
  close (kept)
  close (22)
!$cppc shutdown
contains
  subroutine close_it(number)
    integer, intent(in) :: number
    close (number)
  end subroutine close_it
end program open_closed_within
