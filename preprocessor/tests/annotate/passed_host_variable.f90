! A variable of the main program that is an argument of the internal procedure with the checkpoint. It is registered in the
! main program: a restart that allocates it again below the call would not change the argument.
module parts
  implicit none
  type part
    integer :: tag = 0
  end type part
  type pool
    integer :: n = 0
    type(part), pointer :: p(:) => null()
  end type pool
contains
  subroutine mutate(a)
    type(pool), intent(inout), target :: a
    if (.not. associated(a%p)) allocate (a%p(2))
    a%n = a%n + 1
    a%p(1)%tag = a%p(1)%tag + a%n
  end subroutine mutate
end module parts
program main
  use parts
  implicit none
  integer :: step
  type(pool), allocatable, target :: w
  allocate (w)
  do step = 1, 5
    call advance(w)
  end do
  print *, w%n, w%p(1)%tag
contains
  subroutine advance(a)
    type(pool), intent(inout), target :: a
    call mutate(a)
!$cppc checkpoint
    a%p(1)%tag = a%p(1)%tag + 10
  end subroutine advance
end program main
