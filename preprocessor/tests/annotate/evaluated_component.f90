! A size is read through a pointer to a component of a variable of the main program, which keeps its value (SAVE). Its register
! comes after `init`.
module solver
  implicit none
  type counters
    integer :: of(3) = 0
  end type counters
  type state
    integer :: n = 0
    type(counters) :: c
  end type state
contains
  subroutine solve(self, y)
    class(state), intent(inout), target :: self
    real(8), intent(inout) :: y(:)
    integer, pointer :: length
    length => self%c%of(2)
    length = self%n
    call step(length, y, self%c)
  end subroutine solve
  subroutine step(length, y, c)
    integer, intent(in) :: length
    real(8), intent(inout) :: y(length)
    type(counters), intent(inout), target :: c
    integer, pointer :: count
    real(8) :: start(length)
    integer :: i
    count => c%of(1)
    start = y
    do i = 1, 3
!$cppc checkpoint
      count = count + i
      y = y + start * count
    end do
  end subroutine step
end module solver
program main
  use solver
  implicit none
  type(state) :: ls
  real(8) :: y(3)
  integer :: k
  y = [1, 2, 3]
  ls%n = 3
  ls%c%of = 1
  do k = 1, 3
    call solve(ls, y)
    y = y / sum(y)
  end do
  print *, y, ls%c%of
end program main
