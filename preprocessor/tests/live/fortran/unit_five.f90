! A file is open as unit 5, so no statement reads standard input. Standard input is read before the checkpoints.
! reports: nothing
program main
  implicit none
  integer :: step, n, total
  total = 0
  !$cppc init
  !$cppc execute file(5, 'numbers')
  open (5, file='numbers')
  !$cppc end execute
  read (5, *) n
  !$cppc register(step, n, total)
  do step = 1, 10
    !$cppc checkpoint
    read (5, *) n
    total = total + n
  end do
  print *, total
  !$cppc shutdown
end program main
