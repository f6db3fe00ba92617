module steps
  use iso_c_binding, only: c_double
  implicit none
  interface
    module subroutine f_half(x) bind(c)
      real(c_double), intent(inout) :: x
    end subroutine
  end interface
contains
  subroutine F_Step(x) bind(c)
    real(c_double), intent(inout) :: x
    integer :: i
!$cppc register(i)
    do i = 1, 2
!$cppc checkpoint
      x = x * 0.9d0 + i
    end do
  end subroutine
end module

submodule (steps) halves
contains
  module procedure f_half
    x = x * 0.5d0
!$cppc checkpoint
    x = x + 0.25d0
  end procedure
end submodule
