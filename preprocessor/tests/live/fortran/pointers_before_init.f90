! A pointer that is set before `init` points to the same memory in a restart. `u` is registered, `v` is not.
! reports: at_v
! all: at_u, at_v
program pointers_before_init
  implicit none
  real(8), allocatable, target :: u(:), v(:)
  real(8), pointer :: at_u(:), at_v(:)
  integer :: i
  allocate (u(5), v(6))
  u = 0
  v = 0
  at_u => u
  at_v => v
  !$cppc init
  !$cppc register(u, i)
  do i = 1, 3
    !$cppc checkpoint
    at_u = at_u + i
    at_v = at_v + i
    print *, at_u, at_v
  end do
  !$cppc shutdown
end program pointers_before_init
