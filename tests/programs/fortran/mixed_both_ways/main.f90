! Exercises: calls from Fortran to C and back to Fortran, each on the way to a checkpoint, and shared
! variables with bind(c).
module shared
  use iso_c_binding
  implicit none
  integer(c_int), bind(c, name='shared_level') :: level = 1
  interface
    real(c_double) function in_c(x, depth) bind(c)
      import :: c_double, c_int
      real(c_double), value :: x
      integer(c_int), value :: depth
    end function in_c
  end interface
contains
  recursive real(c_double) function in_fortran(x, depth) bind(c, name='in_fortran')
    real(c_double), value :: x
    integer(c_int), value :: depth
    level = level + 1
    !$cppc register(x, depth, in_fortran)
    !$cppc checkpoint
    in_fortran = x * 0.5_c_double
    if (depth > 0) in_fortran = in_fortran + in_c(x + level, depth - 1)
  end function in_fortran
end module shared

program both
  use shared
  implicit none
  integer :: i
  real(8) :: x
  x = 1
  !$cppc init
  !$cppc register(x, level, i)
  do i = 1, 3
    x = in_c(x, i) + in_fortran(x, i)
    print '(2i4, 1x, z16.16)', i, level, x
  end do
  !$cppc shutdown
end program both
