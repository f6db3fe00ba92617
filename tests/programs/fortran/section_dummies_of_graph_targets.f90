! Exercises: registered dummy arguments that are sections of a registered variable, to all of which pointers in a graph point:
! static and local targets. Before, such a dummy argument hid the variable that contains it.
!
! compilers: gfortran
module parts
  implicit none
  type :: part
    real(8), pointer :: values(:) => null()
  end type part
  type(part) :: of_static(2), of_local(3)
  real(8), target :: static(8) = 1
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
    of_static(1)%values => static(1:4)
    of_static(2)%values => static(5:8)
    of_local(1)%values => local(1:3)
    of_local(2)%values => local(4:6)
    of_local(3)%values => local(2:9)
    !$cppc register(static, local, of_static, of_local, step)
    do step = 1, 6
      call advance(of_static(mod(step, 2) + 1)%values, step)
      call advance(of_local(mod(step, 3) + 1)%values, step)
      print '(i3, 2es24.16)', step, sum(static), sum(local)
    end do
    print *, of_static(1)%values, of_static(2)%values
    print *, of_local(1)%values, of_local(2)%values, of_local(3)%values
  end subroutine run
end program section_dummies_of_graph_targets
