! Memory that moves between a register directive and a checkpoint that does not see the variables.
module grid
  use iso_fortran_env, only: real64
  implicit none
  private
  public :: begin, change, report
  type tile
    real(real64), allocatable :: u(:)
  end type tile
  real(real64), allocatable, public :: cells(:, :)
  integer, pointer :: marks(:) => null()
  complex(real64), allocatable :: phase
  character(len=:), allocatable :: title
  type(tile) :: tiles(3), single
  interface
    module subroutine begin_points(n)
      integer, intent(in) :: n
    end subroutine begin_points
    module subroutine change_points(step)
      integer, intent(in) :: step
    end subroutine change_points
    module subroutine report_points()
    end subroutine report_points
  end interface
contains
  subroutine begin(n)
    integer, intent(in) :: n
    integer :: k
    allocate (cells(n, n), marks(n), phase)
    cells = 0.5d0
    marks = 1
    phase = (1, 2)
    title = 'begin'
    allocate (single%u(2))
    single%u = 3
!$cppc register(marks, phase, title, single%u)
    do k = 1, 3
      allocate (tiles(k)%u(k))
      tiles(k)%u = k
!$cppc register(tiles(k)%u)
    end do
    call begin_points(n)
  end subroutine begin

  ! No checkpoint is called from here.
  subroutine change(step)
    integer, intent(in) :: step
    integer :: k
    if (allocated(cells)) deallocate (cells)
    if (mod(step, 3) /= 0) then
      allocate (cells(-step:step, 2))
      cells = step
    end if
    if (associated(marks)) deallocate (marks)
    if (step /= 2) then
      allocate (marks(step:2 * step))
      marks = -step
    end if
    if (mod(step, 2) == 0 .and. allocated(phase)) deallocate (phase)
    if (mod(step, 2) == 1) phase = step
    title = repeat('t', step)
    single%u = [single%u, single%u(1) + step]
    do k = 1, 3
      if (allocated(tiles(k)%u)) deallocate (tiles(k)%u)
      if (k /= step) allocate (tiles(k)%u(step))
      if (k /= step) tiles(k)%u = k * step
    end do
    if (step == 3 .and. .not. allocated(cells)) allocate (cells(1, 1), source=7.0d0)
    call change_points(step)
  end subroutine change

  subroutine report()
    integer :: k
    print *, lbound(cells), ubound(cells), cells
    if (associated(marks)) print *, lbound(marks), marks
    if (allocated(phase)) print *, phase
    print *, title, len(title), single%u
    do k = 1, 3
      if (allocated(tiles(k)%u)) print *, k, tiles(k)%u
    end do
    call report_points()
  end subroutine report
end module grid
