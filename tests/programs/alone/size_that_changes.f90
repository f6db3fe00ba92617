! Sizes in declarations depend on variables that change before a checkpoint. A restart would compute them again with the new
! values. So these checkpoints are skipped.
module sizes
  implicit none
  type limits
    integer :: width = 3, other = 0
  end type limits
  integer :: n = 3, dims(2) = [3, 4]
  type(limits) :: grid
end module sizes

program size_that_changes
  use sizes
  implicit none
  integer :: step
  real(8) :: u(12) = 0
!$cppc init
!$cppc register(n, dims, u)
!$cppc register(grid)
  do step = 1, 4
    n = 3
    dims = [3, 4]
    grid%width = 3
    grid%other = step
!$cppc checkpoint
    call work(step)
    n = 3
    call label(step)
    call table(u, step)
    call rows(u, step)
  end do
  print '(12f8.2)', u
!$cppc shutdown
contains
  subroutine work(step)
    integer, intent(in) :: step
!$cppc allow(C0463)
    real(8) :: a(n)
    a = step
!$cppc register(a)
    n = n + 1
!$cppc checkpoint
    a(1) = a(1) + size(a)
    print '(i3, f8.2)', step, sum(a)
  end subroutine work

  subroutine label(step)
    integer, intent(in) :: step
    character(len=n) :: text
    text = repeat('x', n)
!$cppc register(text)
    n = n + 1
!$cppc checkpoint
    text(1:1) = achar(64 + step)
    print '(a)', text
  end subroutine label

  ! Twelve elements, as before.
  subroutine table(v, step)
    integer, intent(in) :: step
    real(8), intent(inout) :: v(dims(1), dims(2))
    v(2, 1) = step
    call swap(dims)
!$cppc checkpoint
    v(1, 2) = v(2, 1) + 1
  end subroutine table

  subroutine swap(pair)
    integer, intent(inout) :: pair(2)
    pair = pair([2, 1])
  end subroutine swap

  ! The other component of `grid` may change.
  subroutine rows(v, step)
    integer, intent(in) :: step
    real(8), intent(inout) :: v(grid%width, *)
    grid%other = -step
!$cppc checkpoint
    v(3, 1) = v(3, 1) + step
    grid%width = grid%width + 1
!$cppc checkpoint
    v(2, 2) = v(2, 2) + step
  end subroutine rows
end program size_that_changes
