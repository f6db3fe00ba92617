! Exercises: a main program in Fortran that calls procedures of C through interfaces with bind(c), in
! which the checkpoint is, and gives them a procedure of its own to call.
program mixed
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine advance(u, n, turn) bind(c, name='advance')
      import :: c_double, c_int
      integer(c_int), value :: n, turn
      real(c_double), intent(inout) :: u(n)
    end subroutine advance
    integer(c_int) function steps() bind(c, name='number_of_steps')
      import :: c_int
    end function steps
  end interface
  integer(c_int) :: i
  integer(c_int), parameter :: n = 5
  real(c_double) :: u(n)
  real(c_double) :: total
  u = [1, 2, 3, 4, 5]
  total = 0
  !$cppc init
  !$cppc register(u, total, i)
  do i = 1, 4
    call advance(u, n, i)
    if (steps() > 4) call advance(u, n - 1, -i)
    total = total + u(1)
    print '(2i4, 6(1x, z16.16))', i, steps(), u, total
  end do
  !$cppc shutdown
end program mixed

subroutine weigh(x, by) bind(c, name='weigh')
  use iso_c_binding
  implicit none
  real(c_double), intent(inout) :: x
  real(c_double), value :: by
  x = x * by
end subroutine weigh
