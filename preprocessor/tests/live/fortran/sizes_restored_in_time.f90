! Variables in sizes that a restart restores before it evaluates the sizes, or that it sets again. The variable of a loop around
! the call is restored with the loop.
! reports: nothing
module sizes
  implicit none
  integer :: count = 1, replayed = 1, first = 1, step
contains
  subroutine work(n, dims)
    integer, intent(in) :: n, dims(2)
    real :: a(count), b(n), c(dims(1)), d(replayed), e(first), f(step)
    character(len=count) :: text
    integer :: i
    do i = 1, 4
      !$cppc checkpoint
      print *, size(a), size(b), size(c), size(d), size(e), size(f), len(text)
      block
        real :: g(n)
        !$cppc checkpoint
        print *, size(g)
      end block
    end do
  end subroutine work
end module sizes

program sizes_restored_in_time
  use sizes
  implicit none
  integer :: n, dims(2)
  first = 2
  !$cppc init
  count = 3
  n = 4
  dims = 5
  !$cppc register(count, dims, n)
  !$cppc execute
  replayed = 6
  !$cppc end execute
  do step = 1, 2
    call work(n, dims)
    call work(step, dims)
  end do
  !$cppc shutdown
end program sizes_restored_in_time
