! A variable of a submodule, which only the procedures of the submodule can name.
module work
  implicit none
  interface
    module subroutine step(i)
      integer, intent(in) :: i
    end subroutine step
  end interface
end module work

submodule (work) implementation
  implicit none
  integer :: total = 0
contains
  module subroutine step(i)
    integer, intent(in) :: i
    total = total + i
    if (i == 8) print *, total
  end subroutine step
end submodule implementation

program main
  use work
  implicit none
  integer :: i
  do i = 1, 8
!$cppc checkpoint
    call step(i)
  end do
end program main
