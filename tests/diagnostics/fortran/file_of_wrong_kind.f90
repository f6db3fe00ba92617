! Files whose unit is none, whose name is none, with an item too many, and with a name that nobody knows.
program files
  implicit none
  real :: x
  integer :: units(2)
  x = 0
!$cppc init
!$cppc execute file(x, 'in.txt')
!                   ~ error[C0435] `x` is no unit
  open(10, file='in.txt')
!$cppc end execute
!$cppc execute file(units, 'in.txt')
!                   ~~~~~ error[C0435] `units` is no unit
  open(10, file='in.txt')
!$cppc end execute
!$cppc execute file(10, 7)
!                       ~ error[C0436] `7` is no name of a file
  open(10, file='in.txt')
!$cppc end execute
!$cppc execute file(10, 'in.txt', 'r')
!                  ~~~~~~~~~~~~~~~~~~~ error[C0310] `file` needs two items
  open(10, file='in.txt')
!$cppc end execute
!$cppc execute file(10, nam)
!                       ~~~ error[C0421] unknown name `nam`
  open(10, file='in.txt')
!$cppc end execute
!$cppc checkpoint
!$cppc shutdown
  units = int(x)
end program files
