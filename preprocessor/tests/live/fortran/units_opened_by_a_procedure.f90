! A procedure opens the unit that its caller passes. `input` is closed in the same way before the checkpoint, and `again` is
! opened again after it.
! reports: output, unit 31
module files
  implicit none
  integer :: output, input, again
contains
  subroutine open_file(unit, name)
    integer, intent(in) :: unit
    character(*), intent(in) :: name
    open (unit, file=name)
  end subroutine open_file
  subroutine open_named(unit, name)
    integer, intent(in) :: unit
    character(*), intent(in) :: name
    call open_file(unit, name // '.txt')
  end subroutine open_named
  subroutine close_file(unit)
    integer, intent(in) :: unit
    close (unit)
  end subroutine close_file
end module files

program main
  use files
  implicit none
  real :: total
  integer :: step
!$cppc init
  input = 21
  output = 22
  again = 23
  call open_file(input, 'in.txt')
  read (input, *) total
  call close_file(input)
  call open_named(output, 'out')
  call open_named(again, 'again')
  write (again, *) total
  call open_file(31, 'constant.txt')
!$cppc register(total, module files)
  do step = 1, 9
!$cppc checkpoint
    total = total + 1
    write (output, *) total
    write (31, *) total
    call open_file(again, 'again.txt')
    write (again, *) total
    call close_file(again)
  end do
  call open_file(input, 'in.txt')
  read (input, *) total
!$cppc shutdown
end program main
