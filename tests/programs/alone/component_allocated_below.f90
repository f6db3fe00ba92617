! A procedure allocates a component of its dummy argument, and comes to a checkpoint.
module growing
  implicit none
  type tile
    real(8), allocatable :: u(:)
  end type tile
contains
  subroutine grow(list, step)
    type(tile), intent(inout) :: list(:)
    integer, intent(in) :: step
    if (step == 3) then
      allocate (list(2)%u(3))
      list(2)%u = step
    end if
!$cppc checkpoint
    list(1)%u = list(1)%u + step
  end subroutine grow
end module growing

program component_allocated_below
  use growing
  implicit none
  type(tile) :: tiles(2)
  integer :: step
  tiles(1)%u = [1, 2]
!$cppc init
!$cppc register(tiles)
  do step = 1, 5
!$cppc checkpoint
    call grow(tiles, step)
    print '(i3,2f9.1)', step, tiles(1)%u
    if (allocated(tiles(2)%u)) print '(3f9.1)', tiles(2)%u
  end do
!$cppc shutdown
end program component_allocated_below
