! What is no variable: a constant, a procedure, an expression, a statement function.
program constant
  implicit none
  integer, parameter :: n = 3
  integer :: i, k
  k = 0
  !$cppc init
  !$cppc register(n)
!                 ~ error[C0422] `n` is a constant
  !$cppc register(twice)
!                 ~~~~~ error[C0422] `twice` is a procedure
  !$cppc register(k + 1)
!                 ~~~~~ error[C0423] `k + 1` names no memory
  do i = 1, n
    !$cppc checkpoint
    k = k + twice(i)
  end do
  print *, k
contains
  integer function twice(j)
    integer, intent(in) :: j
    twice = 2 * j
  end function twice
end program constant
