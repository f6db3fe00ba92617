! Registered memory that is allocated again where no procedure with a directive sees it.
module shapes
  type grid
    real, allocatable :: x(:), scratch(:)
  end type grid
  type(grid) :: cells(2)
end module shapes

program moves
  use shapes
  implicit none
  real, allocatable :: u(:), v(:)
  type(grid) :: g
  integer, parameter :: first = 1
  integer :: i
  allocate (u(2), v(2), g%x(2), g%scratch(2), cells(first)%x(2))
  !$cppc init
  !$cppc register(u, v, g%x)
  !$cppc register(cells(first)%x)
!                 ~~~~~~~~~~~~~~ warning[C0461] the memory of `cells(first)%x` may move before a checkpoint that does not see it
  do i = 1, 3
    call pass_on(u, i)
    call within(g, i)
    call drive(change)
    call drive(change_below)
    call grow_here()
    call pause_here()
    print *, u, v, g%x, cells(first)%x
  end do
  !$cppc shutdown
contains
  subroutine pass_on(a, n)
    real, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    call resize(a, n)
!               ~ error[C0456] the caller of `pass_on` registers `a`, whose memory moves here
    !$cppc checkpoint
    a = n
  end subroutine pass_on
  subroutine resize(b, n)
    real, allocatable, intent(inout) :: b(:)
    integer, intent(in) :: n
    deallocate (b)
    allocate (b(n))
  end subroutine resize
  subroutine within(a, n)
    type(grid), intent(inout) :: a
    integer, intent(in) :: n
    deallocate (a%scratch)
    allocate (a%scratch(n))
    call resize(a%scratch, n)
    call resize(a%x, n)
!               ~~~ error[C0456] the caller of `within` registers `a%x`, whose memory moves here
    !$cppc checkpoint
    a%x = n
  end subroutine within
  subroutine change()
    deallocate (v)
!               ~ warning[C0458] `change` is passed to another procedure, and moves the registered memory of `v`
    allocate (v(5))
!             ~~~~ warning[C0458] `change` is passed to another procedure, and moves the registered memory of `v`
    v = 1
  end subroutine change
  subroutine change_below()
    call grow()
  end subroutine change_below
  subroutine grow()
    v = [v, 1.0]
!   ~ warning[C0458] `change_below` is passed to another procedure, and moves the registered memory of `v`
  end subroutine grow
  subroutine grow_here()
    v = [v, 2.0]
  end subroutine grow_here
end program moves

subroutine drive(procedure)
  external procedure
  call procedure()
  !$cppc checkpoint
end subroutine drive

subroutine pause_here()
  !$cppc checkpoint
end subroutine pause_here
