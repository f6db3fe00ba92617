! Variables of modules that the main program cannot register: PROTECTED ones with memory of their own, two of the same name that
! it renames, one of a module without procedures, and a private pointer.
module grid
  implicit none
  type cell
    real, allocatable :: values(:)
  end type
  real, allocatable, protected :: w(:)
  type(cell), protected :: cells(2)
  integer, protected :: steps = 0
contains
  subroutine set
    w = [1., 2.]
    cells(1)%values = [1.]
    cells(2)%values = [1., 2.]
  end subroutine
end module
module first
  implicit none
  real :: x = 1
end module
module second
  implicit none
  real :: x = 3
contains
  subroutine update
    use first, only: ax => x
    x = x + ax
    ax = ax * 1.1
  end subroutine
end module
module lists
  implicit none
  type node
    integer :: key
    type(node), pointer :: next => null()
  end type
  type(node), pointer, private :: root => null()
contains
  subroutine add(key)
    integer, intent(in) :: key
    type(node), pointer :: new
    allocate (new)
    new%key = key
    new%next => root
    root => new
  end subroutine
  subroutine show
    type(node), pointer :: at
    at => root
    do while (associated(at))
      print *, at%key
      at => at%next
    end do
  end subroutine
end module
program main
  use grid
  use first, only: xx => x
  use second, only: update, xb => x
  use lists
  implicit none
  real :: s
  integer :: i
  call set
  s = 0
  do i = 1, 5
    !$cppc checkpoint
    s = s * 0.5 + w(1) * i + cells(2)%values(2) + steps
    call update
    call add(i)
  end do
  call show
  print *, s, xx, xb
end program
