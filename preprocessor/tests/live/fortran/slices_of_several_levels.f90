! A call passes two slices of an array. These are all of it only if it has two, and if the indices differ.
! reports: branches, known, same, several, three
! all: branches, known, same, several, three, two
module filters
  implicit none
  integer :: k, now, next
  real(8), allocatable :: two(:, :), three(:, :), several(:, :), branches(:, :)
contains
  subroutine filter(x, y, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y(n)
    !$cppc register(x, y)
    !$cppc checkpoint
    x = n
    y = n
  end subroutine filter

  subroutine two_levels(n)
    integer, intent(in) :: n
    two(:, 1) = 1; two(:, 2) = 2
    do k = 1, 4
      call filter(two(:, now), two(:, next), n)
      now = 3 - now; next = 3 - next
    end do
    print *, two
  end subroutine two_levels

  subroutine three_levels(n)
    integer, intent(in) :: n
    three(:, :) = 1
    do k = 1, 4
      call filter(three(:, now), three(:, next), n)
      now = 3 - now; next = 3 - next
    end do
    print *, three
  end subroutine three_levels

  subroutine several_levels(n)
    integer, intent(in) :: n
    several(:, :) = 1
    do k = 1, 4
      call filter(several(:, now), several(:, next), n)
      now = 3 - now; next = 3 - next
    end do
    print *, several
  end subroutine several_levels

  subroutine two_allocations(n)
    integer, intent(in) :: n
    branches(:, :) = 1
    do k = 1, 4
      call filter(branches(:, now), branches(:, next), n)
      now = 3 - now; next = 3 - next
    end do
    print *, branches
  end subroutine two_allocations

  subroutine declared(n)
    integer, intent(in) :: n
    real(8) :: known(4, 3)
    known = 1
    do k = 1, 4
      call filter(known(:, now), known(:, next), n)
      now = 3 - now; next = 3 - next
    end do
    print *, known
  end subroutine declared

  subroutine same_slice(n)
    integer, intent(in) :: n
    real(8) :: same(4, 2)
    same = 1
    do k = 1, 4
      call filter(same(:, now), same(:, now), n)
      now = 3 - now
    end do
    print *, same
  end subroutine same_slice
end module filters

program levels
  use filters
  implicit none
  integer :: n, m
  n = 4; m = 3
  allocate (two(n, 2), three(n, 3), several(n, m))
  if (n > 3) then
    allocate (branches(n, 3))
  else
    allocate (branches(4, 3))
  end if
  !$cppc init
  now = 1; next = 2
  !$cppc register(now, next)
  call two_levels(4)
  call three_levels(4)
  call several_levels(4)
  call two_allocations(4)
  call declared(4)
  call same_slice(4)
  !$cppc shutdown
end program levels
