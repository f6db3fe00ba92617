! Several statements on a line.
subroutine work(n)
  integer, intent(inout) :: n
  !$cppc register(n)
  if (n > 0) then; n = 2 * n
    !$cppc checkpoint
  n = n + 1; end if; n = n - 1
end subroutine
