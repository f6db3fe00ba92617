! The result of a function that is set before the checkpoint, and one that is set after it.
! reports: early
program function_results
  implicit none
  integer :: i, s
  s = 0
  !$cppc init
  !$cppc register(i, s)
  do i = 1, 3
    s = s + early(i) - late(i)
    print *, s
  end do
  !$cppc shutdown
contains
  integer function early(n)
    integer, intent(in) :: n
    early = n * 2
    !$cppc checkpoint
  end function early

  integer function late(n)
    integer, intent(in) :: n
    !$cppc checkpoint
    late = n * 3
  end function late
end program function_results
