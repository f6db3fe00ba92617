! What the newest standards have, and not every compiler.
subroutine newest(n, a)
  integer, intent(in) :: n
  real, intent(inout) :: a(n, n)
  real :: b(n), d, s
  integer, allocatable :: c(:)
  import, only: x
  implicit none (type, external)
  do concurrent (integer(8) :: i = 1:3, j = 1:n:2, i /= j) default(none) local(d) local_init(s) shared(a, b) reduce(+:s)
    a(i, j) = 0
  end do
  c = [(i, integer :: i = 1, 3)]
  error stop 'text' // 'more', quiet=.true.
  sync images (this_image() - 1, stat=i, errmsg=m)
  allocate (c(3), stat=i, errmsg=m, source=[1, 2, 3])
  allocate (d[*], e(3)[2, 0:*])
  call method(a(1, :), b=b(:n), *10)
  a%x(1)%y => null()
  self%f(3)%g = other%method(1)%h(2)
  x = f(1)(2:3)
  if (x .in. y .and. .not. .inverse. z) x = -.inverse. y .cross. z
  form team (1, t, new_index=i)
  change team (t, a[*] => b)
  end team
  critical (stat=i)
  end critical
  notify wait (e)
  select case (x)
  case ('a':'z', '_')
  end select
end subroutine
