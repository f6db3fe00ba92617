! Prints a line in each step, in two parts with a checkpoint between, and flushes nothing.
!
!   DIE=N            it dies at step N, after the checkpoint
program printed
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  interface
    function raise(signal) bind(c)
      import :: c_int
      integer(c_int), value :: signal
      integer(c_int) :: raise
    end function raise
  end interface
  integer(c_int), parameter :: kill = 9
  integer :: i, die, length, status
  character(len=8) :: text
  double precision :: total

  die = -1
  call get_environment_variable('DIE', text, length, status)
  if (status == 0) read (text(:length), *) die
  total = 0
  !$cppc init
  !$cppc register(total)
  do i = 0, 9
    total = total + 0.5d0*i
    write (*, '(a, i0)', advance='no') 'step ', i
    !$cppc checkpoint
    if (i == die) then
      if (raise(kill) /= 0) stop 1
    end if
    write (*, '(a, f6.2)') ': ', total
  end do
  print '(a, f6.2)', 'end', total
  !$cppc shutdown
end program printed
