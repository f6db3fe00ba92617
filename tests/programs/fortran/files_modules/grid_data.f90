! Shared state without directives.
module grid_data
  implicit none
  integer :: extent = 0, clock = 0
  real(8), allocatable :: values(:)
  real(8), parameter :: spread = 0.25d0
contains
  subroutine allocate_grid(n)
    integer, intent(in) :: n
    integer :: k
    extent = n
    allocate (values(n))
    values = [(real(k, 8), k = 1, n)]
  end subroutine allocate_grid
end module grid_data
