! Local variables of several types.
subroutine work()
  integer :: n
  logical :: done
  character(len=8) :: word
  n = 3
  done = .false.
  word = 'start'
  !$cppc register(n, done, word)
  !$cppc checkpoint
  if (done) print *, n, word
end subroutine
