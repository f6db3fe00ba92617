! OPEN statements that a restart needs, and others: input that is closed again, files behind the last checkpoint, and
! those of a procedure that ends the program.
module io
 integer, parameter :: IIN = 40
end module
program p
 use io
 implicit none
 integer :: it, u
 real(8) :: x(10), y
 open(IIN, file='in.txt', status='old', action='read')
 read(IIN,*) x
 close(IIN)
 open(newunit=u, file='log.txt', status='replace')
 write(u,*) 'start'
 close(u)
 open(IIN, file='kept.txt', status='old')
 y = 0
 do it = 1, 10
  !$cppc checkpoint
  call forcing(it, y)
  x = x + y
  open(newunit=u, file='log.txt', position='append')
  write(u,*) it, y
  close(u)
  call check(y)
 end do
 close(IIN)
 call finish(x)
contains
 subroutine finish(x)
  real(8) :: x(10)
  open(77, file='final.txt')
  write(77,*) x
  close(77)
 end subroutine
end program
subroutine forcing(it, y)
 use io
 integer :: it, k
 real(8) :: y, z
 open(50, file='force.txt', status='old', iostat=k)
 if (k /= 0) call stop_it('none')
 do k = 1, it
  read(50, *) z
 end do
 close(50)
 open(51, file='scale.txt', status='old', iostat=k)
 if (k == 0) then
  read(51, *) z
  close(51, status='delete')
 end if
 y = y + z
end subroutine
subroutine check(y)
 real(8) :: y
 if (y > 1e10) call stop_it('large')
end subroutine
subroutine stop_it(text)
 character(*) :: text
 open(90, file='error.txt')
 write(90,*) text
 close(90)
 write(*,*) text
 stop 1
end subroutine
