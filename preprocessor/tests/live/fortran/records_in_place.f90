! Each step reads a record and writes it again. The records of unit 12 are only written, those of unit 13 only read.
! reports: unit 11
program records_in_place
  implicit none
  integer :: i, number
!$cppc init
!$cppc execute file(11, 'records.dat')
  open (11, file='records.dat', access='direct', recl=4)
!$cppc end execute
!$cppc execute file(12, 'output.dat')
  open (12, file='output.dat', access='direct', recl=4)
!$cppc end execute
!$cppc execute file(13, 'input.dat')
  open (13, file='input.dat', access='direct', recl=4, action='read')
!$cppc end execute
!$cppc register(i)
  do i = 1, 5
!$cppc checkpoint
    read (11, rec=1) number
    write (11, rec=1) number + i
    write (12, rec=i) number
    read (13, rec=i) number
    print *, number
  end do
!$cppc shutdown
end program
