! An allocatable that is registered above and allocated anew below, before a checkpoint.
program moves
  implicit none
  real, allocatable :: u(:)
  integer :: i
  !$cppc init
  !$cppc register(u)
  do i = 1, 3
    call resize(u, i)
    call assign(u, i)
    call late(u, i)
    call first(u, i)
    call inner(u, i)
    !$cppc checkpoint
  end do
contains
  subroutine resize(a, n)
    real, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    if (allocated(a)) deallocate (a)
!                                 ~ error[C0456] the caller of `resize` registers `a`, whose memory moves here
    !$cppc checkpoint
    allocate (a(n))
!             ~~~~ error[C0456] the caller of `resize` registers `a`, whose memory moves here
  end subroutine resize
  subroutine assign(a, n)
    real, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    real :: row(n)
    row = n
    a = 0
    a = (a + row) * row
    a(:) = row
    a = row
!   ~ warning[C0458] the caller of `assign` registers `a`, whose memory may move here
    a = [a, row]
!   ~ warning[C0458] the caller of `assign` registers `a`, whose memory may move here
    !$cppc checkpoint
  end subroutine assign
  subroutine late(a, n)
    real, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    deallocate (a)
!               ~ error[C0456] the caller of `late` registers `a`, whose memory moves here
    allocate (a(n))
    !$cppc register(a)
    !$cppc checkpoint
    a = n
  end subroutine late
  ! The caller has registered no memory.
  subroutine first(a, n)
    real, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    if (.not. allocated(a)) allocate (a(n))
    !$cppc register(a)
    !$cppc checkpoint
    a(:) = n
  end subroutine first
  subroutine inner(a, n)
    real, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    !$cppc register(a)
    deallocate (a)
    allocate (a(n))
    !$cppc checkpoint
  end subroutine inner
end program moves
