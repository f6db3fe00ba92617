! Exercises: pointers of a module and of a procedure to rows and other sections with gaps of registered arrays, with lower bounds
! of their own, of two dimensions, in a component, and set again by a called procedure.
!
! compilers: gfortran
module flow
  implicit none
  type :: fields
    real(8), pointer :: energy(:) => null()
  end type fields
  real(8), allocatable, target :: q(:, :, :)
  real(8), pointer :: density(:, :) => null(), momentum(:) => null(), block(:, :) => null(), part(:) => null()
  integer, pointer :: marks(:) => null()
contains
  subroutine point(row)
    integer, intent(in) :: row
    momentum(0:) => q(row, :, 3)
  end subroutine point
end module flow

program pointers_to_rows
  use flow
  implicit none
  integer, target :: all_marks(9)
  type(fields) :: state
  integer :: i
  !$cppc init
  allocate (q(3, 4, 5))
  !$cppc register(q, all_marks, i)
  q = 0
  all_marks = 0
  density => q(1, :, :)
  marks => all_marks(9:1:-4)
  state%energy => q(3, 2, :)
  block(0:, 2:) => q(2:3, 2:4, 2)
  call point(2)
  part => momentum(1:2)
  !$cppc register(density, momentum, marks, state, block, part)
  do i = 1, 8
    !$cppc checkpoint
    density = density + i
    momentum(1) = momentum(1) + density(2, 3)
    marks(1) = marks(1) + 1
    marks(3) = marks(3) + i
    state%energy = state%energy + momentum(1)
    block = 0.5d0 * block + i
    part(2) = part(2) + 1
    if (i == 5) block => q(1:2, 1:2, 4)
    if (mod(i, 3) == 0) call point(mod(i, 2) + 2)
    print *, i, lbound(momentum), shape(density), lbound(block), shape(block), sum(q)
  end do
  print *, q
  print *, all_marks
  !$cppc shutdown
end program pointers_to_rows
