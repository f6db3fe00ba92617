! Exercises: INTENT(OUT) arguments. A call frees the memory of an allocatable, of the components of a variable, and of the
! components of the object of a type-bound procedure. The caller registers them too.
module parts
  implicit none
  type :: cell
    real, allocatable :: values(:)
  end type cell
  type :: state
    integer :: count = 0
    real, allocatable :: field(:)
    type(cell), allocatable :: cells(:)
    type(cell) :: border
  contains
    procedure :: start
  end type state
contains
  subroutine start(this, n)
    class(state), intent(out) :: this
    integer, intent(in) :: n
    integer :: i
    !$cppc register(this%count, this%field)
    this%count = n
    allocate (this%field(n))
    this%field = 1.0
    do i = 1, 2
      !$cppc checkpoint
      this%field = this%field * 1.5 + i
    end do
  end subroutine start

  subroutine rebuild(whole, n)
    type(state), intent(out) :: whole
    integer, intent(in) :: n
    integer :: i
    !$cppc register(whole)
    whole%count = n
    allocate (whole%field(n), whole%cells(2))
    allocate (whole%cells(2)%values(n))
    whole%field = 2.0
    whole%cells(2)%values = n
    do i = 1, 2
      !$cppc checkpoint
      whole%field = whole%field * 0.5 + whole%cells(2)%values
    end do
  end subroutine rebuild

  subroutine fill(part, n)
    type(cell), intent(out) :: part
    integer, intent(in) :: n
    !$cppc register(part)
    if (n > 300001) allocate (part%values(n))
    !$cppc checkpoint
    if (allocated(part%values)) part%values = n
  end subroutine fill

  subroutine large(array, n)
    real, allocatable, intent(out) :: array(:)
    integer, intent(in) :: n
    integer :: i
    !$cppc register(array)
    allocate (array(n))
    array = 1.0
    do i = 1, 2
      !$cppc checkpoint
      array = array * 1.5 + i
    end do
  end subroutine large
end module parts

program call_intent_out
  use parts
  implicit none
  type(state) :: first, second
  real, allocatable :: array(:)
  real :: total
  integer :: step
  !$cppc init
  !$cppc register(first, second, array, total)
  total = 0
  do step = 1, 3
    call first%start(step + 2)
    total = total + sum(first%field)
    call rebuild(second, step + 3)
    total = total + sum(second%field) + sum(second%cells(2)%values)
    call fill(second%border, 300000 + step)
    if (allocated(second%border%values)) total = total + second%border%values(7)
    call large(array, 300000 + step)
    total = total + array(5) + size(array)
    print *, step, first%count, second%count, total
  end do
  !$cppc shutdown
end program call_intent_out
