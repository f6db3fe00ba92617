! All calls pass the same memory, or all of some memory: two arrays or slices in any order.
! reports: nothing
! all: a, b, levels, z
program same_argument
  implicit none
  real(8), target :: whole(4), from_start(4, 3), old(4), new(4), levels(4, 2), a(4), b(4)
  real(8), pointer :: u(:), v(:), t(:)
  real(8), allocatable :: early(:)
  integer :: k, now, next
  allocate (early(4))
  !$cppc init
  early = 8
  whole = 1; from_start = 2
  do k = 1, 3
    call two(whole, from_start(1, 1), early, 4, 12)
  end do
  old = 3; new = 4
  do k = 1, 3
    if (mod(k, 2) == 0) then
      call two(old, new, early, 4, 4)
    else
      call two(new, old, early, 4, 4)
    end if
  end do
  levels = 5
  now = 1; next = 2
  !$cppc register(now, next)
  do k = 1, 3
    call two(levels(:, now), levels(:, next), early, 4, 4)
    now = 3 - now; next = 3 - next
  end do
  a = 6; b = 7
  u => a; v => b
  !$cppc register(u, v)
  do k = 1, 3
    call two(u, v, early, 4, 4)
    t => u; u => v; v => t
  end do
  !$cppc shutdown
contains
  subroutine two(x, y, z, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n), y(m), z(n)
    !$cppc register(x, y, z)
    !$cppc checkpoint
    x = x + 1
    y(1:n) = y(1:n) + x + z
    z = z + 1
  end subroutine two
end program same_argument
