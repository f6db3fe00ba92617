! Variables with SAVE of BLOCK constructs in procedures that lead to no checkpoint: in a loop, nested, after other declarations.
module counters
  implicit none
contains
  subroutine count(t)
    integer, intent(in) :: t
    integer :: i
    do i = 1, 2
      block
        use, intrinsic :: iso_fortran_env, only: int64
        integer(int64), save :: calls = 10
        real :: scratch
        scratch = t
        block
          real, save :: total = 0
          total = total + scratch + calls
          if (i == 2) print *, total
        end block
        calls = calls + 1
      end block
    end do
  end subroutine count
end module counters
program main
  use counters
  implicit none
  integer :: t
  do t = 1, 9
!$cppc checkpoint
    call count(t)
  end do
end program main
