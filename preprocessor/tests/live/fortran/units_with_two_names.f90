! A unit is opened with one variable, and written after the checkpoint with another that has its number. Variables
! that get other numbers mean other units.
! reports: output, second
module files
  integer :: output, input, second, closed, other
end module files

program main
  use files
  implicit none
  real :: total, x
  integer :: step
  call open_all
!$cppc init
  call open_more
  total = 0
!$cppc register(total, module files)
  do step = 1, 9
!$cppc checkpoint
    total = total + 1
    write (output, *) total
    write (second, *) total
    open (other, file='other.txt')
    write (other, *) total
    close (other)
  end do
!$cppc shutdown
end program main

subroutine open_all
  use files
  integer :: number
  read (*, *) number
  input = number
  open (number, file='in.txt', status='old')
end subroutine open_all

subroutine open_more
  use files
  integer :: number
  read (*, *) number
  output = number
  open (number, file='out.txt', status='replace')
  open (12, file='second.txt')
  call set(second, 12)
  other = 9
  closed = 13
  open (closed, file='closed.txt')
  close (closed)
contains
  subroutine set(unit, number)
    integer, intent(out) :: unit
    integer, intent(in) :: number
    unit = number
  end subroutine set
end subroutine open_more
