! Variables of which each thread has a copy, outside of parallel regions.
module counts
  implicit none
  integer, save :: n = 0
!$omp threadprivate(n)
end module counts

program main
  use counts
  implicit none
  integer :: i
  integer, save :: k = 0
!$omp threadprivate(k)
  do i = 1, 8
!$cppc checkpoint
    n = n + i
    k = k + 2
  end do
  print *, n, k
end program main
