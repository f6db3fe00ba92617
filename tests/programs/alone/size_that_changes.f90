! The size of `a` and the length of `text` depend on a variable that changes before the checkpoint. A restart computes them
! again when it enters the procedure, with the new value. So it is refused.
module sizes
  implicit none
  integer :: n = 3
end module sizes

program size_that_changes
  use sizes
  implicit none
  integer :: step
!$cppc init
!$cppc register(n)
  do step = 1, 4
    n = 3
!$cppc checkpoint
    call work(step)
    n = 3
    call label(step)
  end do
!$cppc shutdown
contains
  subroutine work(step)
    integer, intent(in) :: step
!$cppc allow(C0463)
    real(8) :: a(n)
    a = step
!$cppc register(a)
    n = n + 1
!$cppc checkpoint
    a(1) = a(1) + size(a)
    print '(i3, f8.2)', step, sum(a)
  end subroutine work

  subroutine label(step)
    integer, intent(in) :: step
    character(len=n) :: text
    text = repeat('x', n)
!$cppc register(text)
    n = n + 1
!$cppc checkpoint
    text(1:1) = achar(64 + step)
    print '(a)', text
  end subroutine label
end program size_that_changes
