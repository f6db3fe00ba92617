! Exercises: the first component of a node is registered by itself, and the pointer to the node too.
!
! compilers: gfortran
module nodes
  implicit none
  type node
    integer :: value = 0
    real(8) :: rest = 0
    type(node), pointer :: next => null()
  end type node
end module nodes

program component_in_graph
  use nodes
  implicit none
  type(node), pointer :: head
  integer :: step
!$cppc init
  allocate (head)
!$cppc register(head)
!$cppc register(head%value)
  do step = 1, 3
!$cppc checkpoint
    head%value = head%value + step
    head%rest = head%rest + 0.5d0
    print '(i0, f8.3)', head%value, head%rest
  end do
!$cppc shutdown
end program component_in_graph
