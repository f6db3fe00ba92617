! Random numbers whose state is saved, and arguments with keywords: `put` is read, `values` is written.
! reports: other
! all: clock, other
program main
  implicit none
  integer :: step, length, clock(8)
  integer, allocatable :: state(:), other(:)
  real :: x, sum
  call random_seed(size=length)
  allocate (state(length), other(length))
  sum = 0
  !$cppc init
  other = 5
  !$cppc register(step, sum, state)
  do step = 1, 10
    call random_seed(get=state)
    !$cppc checkpoint
    call random_seed(put=state)
    call random_number(x)
    call date_and_time(values=clock)
    sum = sum + x + clock(8)
    call random_seed(put=other)
    call random_number(harvest=x)
    sum = sum + x
  end do
  print *, sum
  !$cppc shutdown
end program main
