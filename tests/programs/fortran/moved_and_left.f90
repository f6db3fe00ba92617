! Exercises: allocatables that a procedure allocates again after its last checkpoint: its registered argument, and its
! SAVE variables. The next checkpoint is in a procedure that does not see them.
module work
  implicit none
contains
  subroutine grow(y, n)
    real(8), allocatable, intent(inout) :: y(:)
    integer, intent(in) :: n
    real(8), allocatable :: longer(:)
    !$cppc register(y)
    call pause_here()
    if (n == 3) then
      deallocate (y)
      allocate (y(0:1), source=7.0d0)
      return
    end if
    longer = [real(8) :: n, n, n]
    longer = [y, longer]
    call move_alloc(longer, y)
  end subroutine grow

  subroutine keep(n, changes)
    integer, intent(in) :: n
    logical, intent(in) :: changes
    integer, allocatable, save :: counts(:)
    character(len=:), allocatable, save :: text
    integer, pointer, save :: one => null()
    !$cppc register(counts, text, one)
    if (.not. changes) then
      print *, lbound(counts), counts, text, one
      return
    end if
    if (allocated(counts)) deallocate (counts)
    allocate (counts(-n:n), source=n)
    text = repeat('n', n)
    allocate (one)
    one = n
  end subroutine keep
end module work

program main
  use work
  implicit none
  real(8), allocatable :: x(:)
  integer :: step
  allocate (x(2))
  x = 1
  !$cppc init
  !$cppc register(x)
  do step = 1, 4
    call middle(x, step)
    call keep(step, .true.)
    call pause_here()
    print *, step, size(x), x
    call keep(step, .false.)
  end do
  !$cppc shutdown
contains
  subroutine middle(w, n)
    real(8), allocatable, intent(inout) :: w(:)
    integer, intent(in) :: n
    call grow(w, n)
    call pause_here()
  end subroutine middle
end program main

subroutine pause_here()
  ! The check does not know that memory which `move_alloc` gives to a registered argument is registered.
  !$cppc allow(C0701, y)
  !$cppc checkpoint
end subroutine pause_here
