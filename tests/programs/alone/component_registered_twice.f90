! A component is registered as part of a variable, and again as a dummy argument of the same name that receives another
! variable.
module work_of_tiles
  implicit none
  type tile
    real(8), allocatable :: u(:)
  end type tile
contains
  subroutine work(tiles, step)
    type(tile), intent(inout) :: tiles(:)
    integer, intent(in) :: step
!$cppc register(tiles(1)%u)
    tiles(1)%u = tiles(1)%u + step
!$cppc checkpoint
    tiles(1)%u = tiles(1)%u * 2
  end subroutine work
end module work_of_tiles

program component_registered_twice
  use work_of_tiles
  implicit none
  type(tile) :: tiles(2), others(2)
  integer :: step
  tiles(1)%u = [1, 2]
  others(1)%u = [1, 2, 3]
!$cppc init
!$cppc register(tiles, others)
  do step = 1, 5
!$cppc checkpoint
    tiles(1)%u = tiles(1)%u + 1
    call work(others, step)
    print '(i3,5f9.1)', step, tiles(1)%u, others(1)%u
  end do
!$cppc shutdown
end program component_registered_twice
