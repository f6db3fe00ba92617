! Exercises: an allocatable of a module without procedures, and one of a module with names like generated ones, in one
! file. Both are allocated again before a checkpoint in a procedure that does not see them.
module state
  implicit none (type, external)
  private
  real(8), allocatable, public :: x(:)
  public :: y
  integer, pointer :: y(:)
end module state

MODULE CPPC_LOOKALIKE
  IMPLICIT NONE
  INTEGER :: CPPC_FOLLOW_THIS = 3
  REAL(8), ALLOCATABLE, SAVE :: Z(:)
CONTAINS
  SUBROUTINE CHANGE_Z(N)
    INTEGER, INTENT(IN) :: N
    DEALLOCATE (Z)
    ALLOCATE (Z(N * CPPC_FOLLOW_THIS))
    Z = N
  END SUBROUTINE CHANGE_Z
END MODULE CPPC_LOOKALIKE

program main
  use state
  use cppc_lookalike
  implicit none
  integer :: step
  allocate (x(2), y(2), z(2))
  x = 1
  y = 1
  z = 1
  !$cppc init
  !$cppc register(x, y, z)
  do step = 1, 4
    call advance(step)
    print *, size(x), x, size(y), y, size(z), z
  end do
  !$cppc shutdown
end program main

subroutine advance(step)
  implicit none
  integer, intent(in) :: step
  call change(step)
  call stop_here()
end subroutine advance

subroutine change(step)
  use state
  use cppc_lookalike, only: change_z
  implicit none
  integer, intent(in) :: step
  deallocate (x, y)
  allocate (x(0:2 * step), y(step))
  x = step
  y = step + 1
  call change_z(step)
end subroutine change

subroutine stop_here()
  !$cppc checkpoint
end subroutine stop_here
