! A dummy argument gets other memory between its owner and the checkpoint. It is registered before that, so that the runtime
! knows that both are the same.
module layers
  implicit none
contains
  subroutine low(n)
    integer, intent(inout) :: n
    integer :: i
    do i = 1, 2
!$cppc checkpoint
      n = n + i
    end do
  end subroutine low
  subroutine layer(a, n)
    real(8), allocatable, intent(inout) :: a(:)
    integer, intent(inout) :: n
    integer :: length
    length = size(a)
    deallocate (a)
    allocate (a(length * 10))
    a = length
    call low(n)
    n = n + int(sum(a))
  end subroutine layer
  subroutine longer(b, n)
    integer, allocatable, intent(inout) :: b(:)
    integer, intent(inout) :: n
    b = [b, 1, 2]
    call low(n)
    n = n + size(b)
  end subroutine longer
end module layers
program main
  use layers
  implicit none
  real(8), allocatable :: s(:)
  integer, allocatable :: t(:)
  integer :: k, n
  allocate (s(5))
  s = 1
  t = [1]
  n = 0
  do k = 1, 3
    call layer(s, n)
    call longer(t, n)
    n = n + size(s) + sum(t)
  end do
  print *, n
end program main
