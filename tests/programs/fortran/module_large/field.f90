! A module with more registered variables than procedures re-pass themselves.
module field
  use iso_fortran_env, only: real64, int64
  implicit none
  integer, parameter :: n = 6, letters = 5
  type vector
    real(real64) :: x, y
    integer :: id(2)
  end type vector
  integer :: step, total = 0
  integer(int64) :: count = 1
  logical :: is_even = .false.
  complex(real64) :: phase = (1, 0)
  character(len=letters) :: name = 'start', names(3) = 'begin'
  real(real64) :: energy = 0, momentum(n) = 1, matrix(n, 2) = 2
  real(real64) :: halves(n)
  real(real64) :: same(n)
  equivalence (halves, same)
  type(vector) :: position = vector(1, 2, [3, 4]), corners(2) = vector(0, 1, 2)
  real(real64), allocatable :: cells(:, :), growing(:), scalar
  real(real64), pointer :: window(:) => null()
  real(real64), target :: buffer(2 * n) = 3
  type tile
    real(real64), allocatable :: u(:)
  end type tile
  type(tile) :: tiles(3)
  ! Only the procedures of this module see these.
  integer, private :: calls = 0
  real(real64), private :: history(4) = 0
contains
  subroutine begin_history()
!$cppc register(calls, history)
  end subroutine begin_history

  subroutine note(value)
    real(real64), intent(in) :: value
    calls = calls + 1
    history = [history(2:), value]
    call pause_here()
    history(4) = history(4) + calls
  end subroutine note

  subroutine report()
    print *, calls, history
  end subroutine report
end module field
