! RETURN ends the frame of the runtime first.
subroutine work(n)
  integer, intent(inout) :: n
  if (n > 9) return
  !$cppc checkpoint
  n = n + 1
end subroutine
