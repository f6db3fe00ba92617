! Exercises: memory of which little changes from one checkpoint to the next: a table that stays, a field of
! which a few elements change, two allocatables that change places, zeros.
program mostly_still
  implicit none
  integer, parameter :: n = 100000
  real(8), save :: table(n), zeros(n)
  real(8), allocatable :: field(:), now(:), next(:), t(:)
  integer :: i, k
  !$cppc init
  allocate (field(n), now(n), next(n))
  zeros = 0
  table = [(k * 0.25d0 + mod(k, 7), k = 1, n)]
  field = [(k * 0.5d0, k = 1, n)]
  now = [(mod(k, 1000) * 1d-3 + k, k = 1, n)]
  next = [(-k - 0.125d0, k = 1, n)]
  !$cppc register(table, zeros, field, now, next)
  do i = 1, 14
    !$cppc checkpoint
    field(5000 * i:5000 * i + 40) = 0.5d0 * field(5000 * i:5000 * i + 40) + table(i) + zeros(i)
    field(n - i) = now(i) - next(i)
    call move_alloc(now, t)
    call move_alloc(next, now)
    call move_alloc(t, next)
    print '(i3, 4(1x, z16.16))', i, sum(field), sum(table), sum(now), sum(zeros)
  end do
  !$cppc shutdown
end program mostly_still
