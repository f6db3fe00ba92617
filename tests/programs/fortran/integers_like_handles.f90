! Exercises: integers that are used as units, and are no handles: set before `init` and changed later in ways that few programs
! use, changed in a block that depends on the value, and in a COMMON block with other names. They are registered and captured as
! any other integer.
! writes: files
! compilers: gfortran
module numbers
  implicit none
  integer :: next = 20
contains
  integer function new_unit()
    next = next + 1
    new_unit = next
  end function new_unit

  subroutine rename(value)
    integer, intent(in) :: value
    integer :: other
    common /shared/ other
    other = value
  end subroutine rename
end module numbers

program integers_like_handles
  use numbers
  implicit none
  integer, target :: pointed
  integer, pointer :: pointer_to => null()
  integer :: moved, counted, shared, own, first, k, total
  integer :: equal, same
  equivalence (equal, same)
  common /shared/ shared
  namelist /input/ own
  first = new_unit()
  pointed = 10
  moved = 11
  counted = 12
  shared = 13
  own = 14
  equal = 15
!$cppc init
!$cppc execute capture(first) file(first, 'integers_first.txt')
  open (first, file='integers_first.txt', status='replace')
!$cppc end execute
  pointer_to => pointed
  pointer_to = 33
  call mvbits(7, 0, 3, moved, 1)
  call rename(34)
  same = 35
  write (first, '(a)') '&input own=36 /'
  rewind (first)
  read (first, input)
  close (first)
  do k = 1, 2
!$cppc execute capture(counted)
    counted = counted + 1
!$cppc end execute
  end do
  next = next + 5
  total = 0
!$cppc register(pointed, moved, counted, shared, own, equal, next, total, k)
  do k = 1, 4
!$cppc checkpoint
    call use_units(pointed, own)
    total = total*3 + pointed + moved + counted + shared + own + equal + next
  end do
  print *, total, pointed, moved, counted, shared, own, equal, next
!$cppc shutdown
contains
  subroutine use_units(one, other)
    integer, intent(inout) :: one, other
    call inner(one, other)
    one = one + 1
  end subroutine use_units

  subroutine inner(one, other)
    integer, intent(inout) :: one, other
    logical :: is_open
!$cppc checkpoint
    inquire (one, opened=is_open)
    if (.not. is_open) total = total + other
    rewind (moved)
    rewind (counted)
    rewind (shared)
    rewind (equal)
  end subroutine inner
end program integers_like_handles
