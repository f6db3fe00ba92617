! A restart enters a procedure that has returned, for its registers, and evaluates its declarations. A pointer without memory
! stops the program there. `early` is registered before the call, and any value of `number` is good enough.
! reports: late
module grid
  implicit none
  integer, pointer, save :: late, early
  real, pointer, save :: u(:), v(:)
  integer, save :: number = 2
contains
  subroutine allocate_u
    integer :: sizes(early, number)
    sizes = 1
    allocate (u(4))
    !$cppc register(u)
    u = sum(sizes)
  end subroutine allocate_u
  subroutine allocate_v
    integer :: sizes(late, number)
    sizes = 2
    allocate (v(4))
    !$cppc register(v)
    v = sum(sizes)
  end subroutine allocate_v
end module grid
program sizes_in_returned_procedures
  use grid
  implicit none
  integer :: i
  !$cppc init
  allocate (late, early)
  late = 3
  early = 4
  number = 5
  !$cppc register(early)
  call allocate_u
  call allocate_v
  !$cppc register(late, number)
  do i = 1, 4
    !$cppc checkpoint
    u = u + v + late + early + number
  end do
  print *, u
  !$cppc shutdown
end program sizes_in_returned_procedures
