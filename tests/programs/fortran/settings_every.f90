! Exercises: a longer run with a checkpoint call in every turn, for settings that dump only some, and
! the program's own arguments, from which those of the runtime are taken.
program settings
  implicit none
  real(8) :: u(50)
  integer :: i, k
  character(len=30) :: argument
  !$cppc init
  u = [(mod(k, 7), k = 1, 50)]
  !$cppc register(u)
  do i = 1, 60
    u = 0.25d0 * cshift(u, 3) + 0.5d0 * u + i
    !$cppc checkpoint
    print '(a, i3, 2(1x, z16.16))', 'u', i, u(1), sum(u)
  end do
  call get_command_argument(0, argument)
  print '(l2)', len_trim(argument) > 0
  !$cppc shutdown
end program settings
