! A statement at the label of ERR= is not in the execute block, because the run has left it. It may read what a restart does not
! restore before the block.
! reports: nothing
program main
  implicit none
  integer :: t, n
  real :: x
!$cppc init
  n = 0
  x = 0
!$cppc execute file(11, 'log.txt')
  open (11, file='log.txt', status='replace', err=90)
!$cppc end execute
!$cppc register(n, x)
  do t = 1, 6
!$cppc checkpoint
    n = n + 1
    x = x + n
    write (11, *, err=91) x
  end do
  print *, n, x
!$cppc shutdown
  stop
90 print *, 'cannot open', n, x
  stop 1
91 print *, 'cannot write', n
  close (11)
  stop 1
end program main
