! Exercises: conditionals and macros of the C preprocessor in free form, directives in branches that
! are taken and in ones that are not, and an error there that nobody may see.
!
! flags: -DSTEPS=6 -DFAST
#define CELLS 10
#define WEIGHT(x) ((x) * 0.25d0)
#ifndef STEPS
#  error "STEPS is missing"
#endif
program cpp
  implicit none
  integer :: i, k
  real(8) :: u(CELLS), norm
  u = 1
  norm = 0
!$cppc init
#ifdef FAST
!$cppc register(u, norm, i)
#else
!$cppc register(nothing_of_this_name)
#endif
  do i = 1, STEPS
#if defined(FAST) && STEPS > 3
    !$cppc checkpoint
    call smooth(u)
#else
    this is not fortran
#endif
    norm = norm + WEIGHT(u(CELLS))
    print '(i3, 2(1x, z16.16))', i, norm, u(1)
  end do
!$cppc shutdown
contains
  subroutine smooth(u)
    real(8), intent(inout) :: u(CELLS)
    do k = 2, CELLS - 1
      u(k) = WEIGHT(u(k - 1) + u(k + 1)) + 0.5d0 * u(k) + k
    end do
#ifdef FAST
    !$cppc checkpoint
#endif
    u(1) = u(2)
  end subroutine smooth
end program cpp
