! gfortran makes local arrays of more than 65,536 bytes static. `table` and `sums` are read in a call that does not write them
! first. The others are set in each call, or belong to a procedure that is recursive.
! reports: sums, table
program large_local_arrays
  implicit none
  integer :: step
  real :: total
  !$cppc init
  !$cppc register(total)
  total = 0
  do step = 1, 9
    !$cppc checkpoint
    call with_table(step, total)
    call with_sums(step, total)
    call without(step, total)
    call again(step, total)
  end do
  print *, total
  !$cppc shutdown
contains
  subroutine with_table(k, total)
    integer, intent(in) :: k
    real, intent(inout) :: total
    real :: table(20000)
    integer :: i
    if (k == 1) then
      do i = 1, 20000
        table(i) = 1.0 / i
      end do
    end if
    total = total + table(k)
  end subroutine with_table

  subroutine with_sums(k, total)
    integer, intent(in) :: k
    real, intent(inout) :: total
    real :: sums(20000)
    if (k == 1) sums = 0
    call add(sums, k)
    total = total + sums(k)
  end subroutine with_sums

  subroutine add(sums, k)
    real, intent(inout) :: sums(:)
    integer, intent(in) :: k
    sums = sums + k
  end subroutine add

  subroutine without(k, total)
    integer, intent(in) :: k
    real, intent(inout) :: total
    real :: work(20000), part(20000), few(10)
    integer :: i
    do i = 1, k
      work(i) = i
    end do
    do i = 1, k
      total = total + work(i)
    end do
    if (k > 3) part = k
    if (k > 3) total = total + part(1)
    few(1) = k
    total = total + few(1)
  end subroutine without

  recursive subroutine again(k, total)
    integer, intent(in) :: k
    real, intent(inout) :: total
    real :: table(20000)
    if (k == 1) table = 1
    if (k > 1) table = 2
    total = total + table(k)
  end subroutine again
end program large_local_arrays
