! Exercises: an argument that is changed in a procedure of which only the interface is seen here.
program p
  implicit none
  interface
    subroutine work(y, c)
      real(8) :: y
      character(len=*) :: c
    end subroutine
  end interface
  real(8) :: x
  character(3) :: c
  integer :: i
  x = 1; c = 'abc'
  !$cppc init
  !$cppc register(x, c)
  do i = 1, 2
    call work(x, c)
  end do
  print *, x, c
  !$cppc shutdown
end program
subroutine work(y, c)
  implicit none
  real(8) :: y
  character(len=*) :: c
  y = y + 1
  c(1:1) = 'z'
  !$cppc checkpoint
  y = y * 1.5d0
  c(2:2) = 'y'
end subroutine
