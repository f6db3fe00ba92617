! A COMMON block.
subroutine work()
  integer :: n
  real :: a(10)
  common /state/ n, a
  !$cppc register(/state/)
  !$cppc checkpoint
  a(1) = n
end subroutine
