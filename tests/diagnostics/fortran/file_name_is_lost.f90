! Names of files that a restart would ask for before they are made.
program files
  implicit none
  character(len=20) :: early, late
  integer :: i
  early = 'early.txt'
!$cppc init
  late = 'late.txt'
!$cppc execute file(10, early) file(11, trim(late))
!                                       ~~~~~~~~~~ warning[C0442] `late` may have another value in a restart
  open(10, file=early)
  open(11, file=late)
!$cppc end execute
  call open_part(3)
!$cppc register(i)
  do i = 1, 3
!$cppc checkpoint
    write(10, *) i
  end do
!$cppc shutdown
contains
  subroutine open_part(number)
    integer, intent(in) :: number
    character(len=20) :: name
    character(len=*), parameter :: fixed = 'fixed.txt'
    write(name, '(a, i0)') 'part', number
!$cppc execute file(12, name)
!                       ~~~~ warning[C0442] `name` may have another value in a restart
    open(12, file=name)
!$cppc end execute
!$cppc execute capture(name) file(12, name) file(13, fixed)
    open(12, file=name)
    open(13, file=fixed)
!$cppc end execute
  end subroutine open_part

  ! The result of a function that is called again in a restart goes nowhere.
  integer function opened(name) result(unit)
    character(len=*), intent(in) :: name
!$cppc execute file(unit, name)
!                   ~~~~ warning[C0445] `unit` is returned, and lost in a restart
    open(newunit=unit, file=name)
!$cppc end execute
  end function opened
end program files
