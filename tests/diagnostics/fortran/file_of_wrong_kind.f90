! Files whose unit is none, whose name is none, with an item too many, and with a name that nobody knows.
program files
  implicit none
  real :: x
  integer :: units(2)
  x = 0
!$cppc init
!$cppc execute file(x, 'in.txt')
!                   ~ error[C0435] `x` is not a unit
  open(10, file='in.txt')
!$cppc end execute
!$cppc execute file(units, 'in.txt')
!                   ~~~~~ error[C0435] `units` is not a unit
  open(10, file='in.txt')
!$cppc end execute
!$cppc execute file(10, 7)
!                       ~ error[C0436] `7` is not a file name
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
