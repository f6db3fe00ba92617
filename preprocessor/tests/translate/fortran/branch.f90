! A checkpoint in a branch.
subroutine work(n)
  integer, intent(inout) :: n
  !$cppc register(n)
  if (n > 3) then
    !$cppc checkpoint
    n = n - 1
  else
    n = n + 1
  end if
end subroutine
