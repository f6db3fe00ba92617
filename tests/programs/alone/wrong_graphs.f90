! Exercises: checkpoints that are skipped because of a pointer in a derived type that cannot be saved.
!
! compilers: gfortran
module wrong
  implicit none
  type node
    integer(8) :: number = 0
    real(8), pointer :: values(:) => null()
    integer, pointer :: mark => null()
    type(node), pointer :: next => null()
  end type node
  integer, target :: marks(2) = 0
end module wrong

program wrong_graphs
  use, intrinsic :: iso_c_binding
  use wrong
  implicit none
  type(node), pointer :: head, last
  type(node), target :: bare
  real(8), pointer :: other(:), gone(:)
  integer :: step
  allocate (other(8))
  other = 1
!$cppc init
  allocate (head)
  allocate (head%next)
!$cppc register(step, head)
  do step = 0, 6
    last => head%next
    nullify (last%values, last%mark, last%next)
    last%number = 0
    if (step == 1) last%mark => marks(2)
    if (step == 2) last%next => bare
    if (step == 3) last%number = transfer(c_loc(head%next), 0_8)
    if (step == 4) then
      last%values => other
      call c_f_pointer(c_loc(other), last%mark)
    end if
    if (step == 5) then
      allocate (gone(4))
      last%values => gone
      deallocate (gone)
    end if
!$cppc checkpoint
    print '(i0)', step
  end do
!$cppc shutdown
end program wrong_graphs
