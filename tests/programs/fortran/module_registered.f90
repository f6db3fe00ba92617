! Exercises: `register(module m)` in a procedure of the module, with private variables, and in a program that sees the variables
! by other names; `unregister(module m)`.
module fields
  implicit none
  private
  integer, parameter, public :: n = 6
  integer, public :: count = 0
  real(8), public :: grid(n, 2)
  real(8), allocatable, public :: work(:)
  real(8), pointer, public :: view(:) => null()
  character(len=8), public :: label
  type, public :: cell
    integer :: kind
    real, allocatable :: values(:)
  end type cell
  type(cell), allocatable, public :: cells(:)
  type(cell), public :: first
  complex(8) :: hidden = (1, 2)
  integer, allocatable :: kept(:)
  integer, protected, public :: seen = 0
  public :: step_fields, report_fields, keep_fields
contains
  subroutine keep_fields
!$cppc register(module fields)
  end subroutine keep_fields
  subroutine step_fields(k)
    integer, intent(in) :: k
    integer :: i
    count = count + k
    grid(1 + mod(k, n), 2) = grid(1 + mod(k, n), 1) + k
    grid(:, 1) = grid(:, 2) / 2 + count
    hidden = hidden * (0.5_8, 1.0_8) + k
    seen = seen + 2 * k
    if (allocated(work)) deallocate (work)
    allocate (work(0:k))
    work = [(count * 0.5_8 + i, i=0, k)]
    if (allocated(kept)) then
      kept = [kept, k]
    else
      kept = [k]
    end if
    if (mod(k, 2) == 0) then
      if (associated(view)) deallocate (view)
      allocate (view(-1:k))
      view = k * 3.0_8
    end if
    write (label, '(a, i4)') 'step', k
    if (allocated(cells)) deallocate (cells)
    allocate (cells(k))
    do i = 1, k
      cells(i)%kind = i * k
      if (mod(i, 2) == 1) allocate (cells(i)%values(i), source=real(i + k))
    end do
    first%kind = k
    first%values = [real(k), real(-k)]
  end subroutine step_fields
  subroutine report_fields
    integer :: i
    print *, count, grid, hidden, seen, label, kept
    print *, lbound(work), work
    if (associated(view)) print *, lbound(view), view
    do i = 1, size(cells)
      if (allocated(cells(i)%values)) print *, cells(i)%kind, cells(i)%values
    end do
    print *, first%kind, first%values
  end subroutine report_fields
end module fields

module counters
  implicit none
  integer, save :: total = 0, unused = 0
  real(8) :: sums(2) = 0
  common /shared/ shared_total
  integer :: shared_total
end module counters

module timers
  implicit none
  integer :: ticks = 0
end module timers

program main
  use fields
  use counters, renamed => total
  use timers
  implicit none
  integer :: k
  grid = 1
  shared_total = 0
!$cppc init
  call keep_fields
!$cppc register(module counters, module timers)
  do k = 1, 8
    if (k == 5) then
!$cppc unregister(module timers)
      ticks = 0
    end if
!$cppc checkpoint
    if (k >= 5) ticks = k
    if (k < 5) ticks = ticks + k
    renamed = renamed + count + k
    sums = sums + [renamed, k]
    shared_total = shared_total + 3 * k
    call step_fields(k)
    call report_fields
    print *, renamed, sums, shared_total, ticks
  end do
!$cppc shutdown
end program main
