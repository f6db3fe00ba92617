! Exercises: several statements on one line, before and after calls that are on the way to a
! checkpoint, and constructs on one line.
program semicolons
  implicit none
  integer :: i, total; real(8) :: x; x = 1; total = 0
  !$cppc init
  !$cppc register(i, total, x)
  do i = 1, 5; total = total + i; call advance(x, i); total = total * 2; end do; print '(i6)', total
  do i = 1, 4
    total = total - 1; if (mod(i, 2) == 0) call advance(x, i); x = x * 0.5d0; call advance(x, -i)
    if (x > 1) then; call advance(x, 2); else; x = x + 2; end if; print '(2i6, 1x, z16.16)', i, total, x
  end do; print '(a)', 'end'
  !$cppc shutdown
contains
  subroutine advance(y, by)
    real(8), intent(inout) :: y; integer, intent(in) :: by
    !$cppc register(y)
    y = y + by; y = y * 1.5d0
    !$cppc checkpoint
    y = y - 0.25d0; return; end subroutine advance
end program semicolons
