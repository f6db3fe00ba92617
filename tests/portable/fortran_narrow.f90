! A value of which only machines with a wide C `long` are capable.
program narrow
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none
  integer(c_long), allocatable :: places(:, :)
  integer :: turn
  !$cppc init
  allocate (places(0:1, 3))
  places = 7
  !$cppc register(places)
  do turn = 1, 2
    if (turn == 2 .and. storage_size(places) > 32) places(1, 2) = ishft(5_c_long, storage_size(places) / 2)
    !$cppc checkpoint
    call maybe_die(turn)
    places(0, :) = places(0, :) + turn
  end do
  print '(3(1x, i0))', places(0, :)
  !$cppc shutdown
end program narrow

include 'dying.inc'
