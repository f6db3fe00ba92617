! The graph of `s` is restored before the restart makes the call, which frees it.
module solvers
  implicit none
  type, abstract :: solver
  contains
    procedure(starting), deferred :: start
  end type solver
  abstract interface
    subroutine starting(this)
      import :: solver
      class(solver), intent(out) :: this
    end subroutine starting
  end interface
  type, extends(solver) :: jacobi
    real, allocatable :: field(:)
  contains
    procedure :: start => start_jacobi
  end type jacobi
contains
  subroutine start_jacobi(this)
    class(jacobi), intent(out) :: this
    integer :: i
    !$cppc register(this)
    allocate (this%field(4))
    this%field = 1
    do i = 1, 3
      !$cppc checkpoint
      this%field = this%field * 2
    end do
  end subroutine start_jacobi
end module solvers
program graph_freed_by_a_call
  use solvers
  implicit none
  class(solver), allocatable :: s
  integer :: i
  !$cppc init
  !$cppc register(s)
  allocate (jacobi :: s)
  do i = 1, 2
    call s%start
!   ~~~~~~~~~~~~ error[C0524] a restart restores the components of `s`, and this call frees them
  end do
  !$cppc shutdown
end program graph_freed_by_a_call
