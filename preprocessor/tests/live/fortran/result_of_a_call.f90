! An allocatable result is not allocated when its procedure begins, and a restart begins it again.
! reports: kept
! all: %1, kept
program result_of_a_call
  implicit none
  real(8), allocatable :: list(:)
  real(8) :: total, kept
  integer :: i
  total = 0
  !$cppc init
  kept = 2
  !$cppc register(total, i)
  do i = 1, 3
    list = numbers(i)
    total = total + sum(list) + kept
    print *, total
  end do
  !$cppc shutdown
contains
  function numbers(n) result(all)
    integer, intent(in) :: n
    real(8), allocatable :: all(:)
    integer :: k
    !$cppc checkpoint
    all = [(k * 0.5d0, k = 1, n)]
  end function numbers
end program result_of_a_call
