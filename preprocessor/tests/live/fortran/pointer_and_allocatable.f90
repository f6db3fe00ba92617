! Both were set before `init`. A restart gives the registered pointer other memory, and the allocatable keeps the old one.
! `w` is registered itself.
! reports: p(2)
program pointer_and_allocatable
  implicit none
  integer, allocatable, target :: v(:), w(:)
  integer, pointer :: p(:), q(:)
  integer :: i
  allocate (v(3), w(3))
  v = 6
  w = 7
  p => v
  q => w
  !$cppc init
  !$cppc register(p, w, q)
  do i = 1, 4
    !$cppc checkpoint
    p(2) = p(2) + i
    v(1) = v(1) + p(2)
    w(1) = w(1) + q(2)
  end do
  !$cppc shutdown
  print *, v, p, w, q
end program
