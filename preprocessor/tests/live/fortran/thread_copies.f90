! A register saves the copy that one thread has of a variable. The others are lost.
! reports: seed
program main
  implicit none
  integer, save :: seed = 1, total = 0
!$omp threadprivate(seed, total)
  integer :: sum, i
!$cppc init
!$cppc register(seed, total, sum, i)
  sum = 0
  do i = 1, 10
!$cppc checkpoint
    total = total + i
!$omp parallel reduction(+: sum)
    call draw
    sum = sum + seed
!$omp end parallel
  end do
  print *, sum, total
!$cppc shutdown
contains
  subroutine draw
    seed = mod(seed * 1103 + 12345, 65536)
  end subroutine draw
end program main
