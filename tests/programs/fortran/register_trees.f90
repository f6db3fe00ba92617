! Arrays of a derived type with allocatable components, registered as a whole. The components are allocated, freed and moved
! between the checkpoints, also in procedures, and the arrays themselves too.

module tiles_of_run
  implicit none
  type tile
    real(8), allocatable :: u(:)
    integer :: steps = 0
    character(len=:), allocatable :: name
    real(8) :: rest(2) = 0
    integer, allocatable :: count
  end type tile
  type(tile), allocatable :: pool(:, :)
contains
  subroutine change_pool(step)
    integer, intent(in) :: step
    if (step == 2) allocate (pool(-1:1, 2))
    if (step == 6) deallocate (pool)
    if (step == 7) allocate (pool(0, 3))
    if (step == 8) then
      deallocate (pool)
      allocate (pool(2, 2))
    end if
    if (.not. allocated(pool)) return
    if (size(pool) == 0) return
    pool(1, 2)%u = [1d0 * step, 2d0]
    pool(1, 1)%steps = pool(1, 1)%steps + step
    if (step == 4) pool(:, 1) = pool(:, 2)
    if (step == 5) deallocate (pool(1, 1)%u)
  end subroutine change_pool

  subroutine look(step)
    integer, intent(in) :: step
!$cppc checkpoint
    if (allocated(pool)) then
      print '(a,i3,4i4,2l2)', 'pool', step, shape(pool), lbound(pool), size(pool) > 0
      if (size(pool) > 0) print '(a,i4,l2,3f9.3)', 'first', pool(1, 1)%steps, allocated(pool(1, 1)%u), pool(1, 2)%u
    end if
  end subroutine look
end module tiles_of_run

program register_trees
  use tiles_of_run
  implicit none
  type(tile) :: own(0:3)
  type(tile), allocatable :: one
  integer :: step, t
!$cppc init
!$cppc register(own, pool, one)
  do step = 1, 10
!$cppc checkpoint
    do t = 0, 3
      call change(own(t), step, t)
    end do
    if (step == 3) allocate (one)
    if (step >= 3) call change(one, step, 1)
    if (step == 7) one%u = [real(8) ::]
    call change_pool(step)
    call look(step)
    do t = 0, 3
      call show(own(t))
    end do
    if (allocated(one)) call show(one)
  end do
!$cppc shutdown
contains
  subroutine change(which, step, t)
    type(tile), intent(inout) :: which
    integer, intent(in) :: step, t
    if (mod(step + t, 4) == 0 .and. allocated(which%u)) then
      deallocate (which%u)
    else if (.not. allocated(which%u)) then
      allocate (which%u(t:t + step))
      which%u = 100 * t + step
    end if
    if (allocated(which%u)) which%u = 1.5d0 * which%u + step
    which%steps = which%steps + t + step
    which%rest(2) = which%rest(2) + 0.25d0
    which%name = repeat(achar(96 + step), t + step)
    if (step == 5) which%count = t
    if (step == 9) deallocate (which%count)
    if (allocated(which%count)) which%count = which%count + 1
  end subroutine change

  subroutine show(which)
    type(tile), intent(in) :: which
    integer :: count
    count = -1
    if (allocated(which%count)) count = which%count
    if (allocated(which%u)) then
      print '(a,3i4,3f12.4,2a)', 'tile', which%steps, lbound(which%u), count, sum(which%u), which%rest, ' ', which%name
    else
      print '(a,2i4,2f12.4,2a)', 'none', which%steps, count, which%rest, ' ', which%name
    end if
  end subroutine show
end program register_trees
