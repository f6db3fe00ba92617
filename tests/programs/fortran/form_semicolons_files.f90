! Exercises: statements that open files and share their lines with others; files that must be new, one in each step and one
! after the last checkpoint; a PROTECTED array of a module.
! writes: files
! rehearse: never (each step opens a file that must not exist, so a second run fails)
module weights
  implicit none
  real(8), allocatable, protected :: w(:)
contains
  subroutine set
    allocate(w(3)); w = [1d0, 2d0, 3d0]
!$cppc register(w)
  end subroutine
end module weights

program semicolons_files
  use weights
  implicit none
  integer :: i; real(8) :: x; character(len=9) :: name; logical :: wanted
!$cppc init
  x = 1; wanted = .true.; call set
!$cppc execute capture(wanted) file(11, 'all;.txt')
  if (wanted) open(11, file='all;.txt'); wanted = .true.
!$cppc end execute
!$cppc register(i, x)
  do i = 1, 6; x = x * w(2) / w(3) + i
!$cppc checkpoint
    write(name, '("step", i1, ".txt")') i
!$cppc execute capture(name) file(10, name)
    open(10, file=name, status='new'); wanted = .true.
!$cppc end execute
    write(10, '(z16.16)') x; close(10); write(11, '(z16.16)') x; print '(i2, 1x, z16.16)', i, x
  end do
!$cppc execute file(12, 'last.txt')
  open(12, file='last.txt', status='new'); wanted = .true.
!$cppc end execute
  write(12, '(z16.16)') x; close(12); close(11)
!$cppc shutdown
end program semicolons_files
