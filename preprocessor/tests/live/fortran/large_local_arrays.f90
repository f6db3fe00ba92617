! gfortran makes local arrays of more than 65,536 bytes static. `table` and `sums` are read in a call that does not write them
! first. The others are set in each call, may be set by a procedure, or belong to a procedure that is recursive.
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
    sums(k) = sums(k) + k
    total = total + last(sums, k)
  end subroutine with_sums

  real function last(sums, k)
    real, intent(in) :: sums(:)
    integer, intent(in) :: k
    last = sums(k)
  end function last

  subroutine fill_and_add(work, n, total)
    integer, intent(in) :: n
    real, intent(inout) :: work(n), total
    integer :: i
    do i = 1, n
      work(i) = i
    end do
    do i = 1, n
      total = total + work(i)
    end do
  end subroutine fill_and_add

  subroutine without(k, total)
    integer, intent(in) :: k
    real, intent(inout) :: total
    real :: work(20000), part(20000), few(10), buffer(20000), transformed(20000)
    integer :: i
    external :: transform
    call fill_and_add(buffer, 20000, total)
    call transform(transformed)
    total = total + transformed(1)
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
