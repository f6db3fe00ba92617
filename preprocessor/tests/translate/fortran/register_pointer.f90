! A pointer, which may be associated or not.
subroutine work(p)
  real, pointer :: p(:)
  !$cppc register(p)
  !$cppc checkpoint
end subroutine
