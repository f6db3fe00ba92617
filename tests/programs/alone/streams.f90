! A unit of stream access, of which nobody tells where it stands; and one that is sequential, behind it.
! writes: files
! compilers: gfortran
program streams
  implicit none
  integer :: i
!$cppc init
!$cppc execute file(10, 'stream.bin')
  open(10, file='stream.bin', access='stream', status='replace')
!$cppc end execute
!$cppc register(i)
  do i = 1, 3
!$cppc checkpoint
    write(10) i
    write(*, '(i3)') i
  end do
  close(10)
!$cppc shutdown
end program streams
