! Variables with SAVE of a procedure that leads to no checkpoint: an allocatable, a pointer and a structure.
module work
  implicit none
  type tally
    integer :: n = 0
    real(8), allocatable :: values(:)
  end type tally
contains
  subroutine step(n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: s
    type(tally), save :: all
    real(8), pointer, save :: p(:) => null()
    real(8), allocatable, save :: buffer(:)
    if (.not. allocated(all%values)) allocate (all%values(0))
    if (.not. associated(p)) then
      allocate (p(3))
      p = 0
    end if
    if (allocated(buffer)) then
      if (size(buffer) /= n) deallocate (buffer)
    end if
    if (.not. allocated(buffer)) then
      allocate (buffer(n))
      all%n = all%n + 1
    end if
    buffer = n
    all%values = [all%values, real(n, 8)]
    p(1) = p(1) + 1
    s = s + sum(all%values) + all%n + p(1) + sum(buffer)
  end subroutine step
end module work
program main
  use work
  implicit none
  integer :: i
  real(8) :: s = 0
  do i = 1, 12
!$cppc checkpoint
    call step(5 + i / 4, s)
    print *, i, s
  end do
  stop 0
end program main
