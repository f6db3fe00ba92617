! The components of a parameterized derived type depend on its parameters.
module matrices
  implicit none
  type :: matrix(n)
    integer, len :: n = 3
    real(8) :: values(n)
  end type matrix
end module matrices

program parameterized_type
  use matrices
  implicit none
  type(matrix(4)) :: x
  integer :: i
  !$cppc init
  !$cppc register(x, i)
!                 ~ error[C0424] `x` cannot be saved
  do i = 1, 3
    !$cppc checkpoint
    x%values = i
  end do
  !$cppc shutdown
end program parameterized_type
