! A procedure that a restart enters for its registers declares an array of a size that only a later register restores.
! reports: ncol
module grid_sizes
  implicit none
  integer, pointer :: ncol, nrow
  real, pointer :: head(:, :)
end module grid_sizes

program flow
  use grid_sizes
  implicit none
  integer :: step
  !$cppc init
  call make_grid
  call make_heads
  call change_grid
  do step = 1, 4
    !$cppc checkpoint
    head = head + step
  end do
  print *, sum(head), ncol, nrow
  !$cppc shutdown
end program flow

subroutine make_grid
  use grid_sizes
  implicit none
  allocate (ncol, nrow)
  ncol = 3
  nrow = 2
  !$cppc register(ncol, nrow)
end subroutine make_grid

subroutine make_heads
  use grid_sizes
  implicit none
  integer :: border(ncol), corner(nrow)
  border = 1
  corner = 2
  allocate (head(ncol, nrow))
  head = border(1) + corner(1)
  !$cppc register(head)
end subroutine make_heads

subroutine change_grid
  use grid_sizes
  implicit none
  !$cppc register(ncol)
  ncol = ncol + 0
end subroutine change_grid
