! A unit of which nobody tells where it stands, since the library that would is in the program itself.
! writes: files
! compilers: gfortran
! flags: -static-libgfortran
program static_units
  implicit none
  integer :: i
!$cppc init
!$cppc execute file(10, 'out.txt')
  open(10, file='out.txt', status='replace')
!$cppc end execute
!$cppc register(i)
  do i = 1, 3
!$cppc checkpoint
    write(10, *) i
    write(*, '(i3)') i
  end do
  close(10)
!$cppc shutdown
end program static_units
