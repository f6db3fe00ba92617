! Checkpoints, and nothing that starts the service.
program without
!       ~~~~~~~ error[C0507] no `init` directive in this program
  implicit none
  integer :: i
  do i = 1, 3
    !$cppc checkpoint
  end do
end program without
