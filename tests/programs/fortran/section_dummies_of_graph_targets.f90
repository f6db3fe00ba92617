! Exercises: registered dummy arguments that are sections of a registered variable, to all of which pointers in a graph point:
! static, local and allocatable targets. Before, such a dummy argument hid the variable that contains it.
!
! compilers: gfortran
module parts
  implicit none
  type :: part
    real(8), pointer :: values(:) => null()
  end type part
  type(part) :: of_static(2), of_local(3), of_heap(2)
  real(8), target :: static(8) = 1
  real(8), allocatable, target :: heap(:)
contains
  subroutine advance(x, step)
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: step
    !$cppc register(x)
    !$cppc checkpoint
    x = 0.875d0 * x + step
  end subroutine advance
end module parts

program section_dummies_of_graph_targets
  use parts
  implicit none
  integer :: step
  !$cppc init
  call run()
  !$cppc shutdown
contains
  subroutine run()
    real(8), target :: local(9)
    local = 2
    allocate (heap(6))
    heap = 3
    of_static(1)%values => static(1:4)
    of_static(2)%values => static(5:8)
    of_local(1)%values => local(1:3)
    of_local(2)%values => local(4:6)
    of_local(3)%values => local(2:9)
    of_heap(1)%values => heap(1:3)
    of_heap(2)%values => heap(4:6)
    !$cppc register(static, heap, local, of_static, of_local, of_heap, step)
    do step = 1, 6
      call advance(of_static(mod(step, 2) + 1)%values, step)
      call advance(of_local(mod(step, 3) + 1)%values, step)
      call advance(of_heap(mod(step, 2) + 1)%values, step)
      print '(i3, 3es24.16)', step, sum(static), sum(local), sum(heap)
    end do
    print *, of_static(1)%values, of_static(2)%values
    print *, of_local(1)%values, of_local(2)%values, of_local(3)%values
    print *, of_heap(1)%values, of_heap(2)%values
  end subroutine run
end program section_dummies_of_graph_targets
