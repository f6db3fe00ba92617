! An array of assumed size cannot be associated with another name, so a BLOCK must not hide it.
program main
  real :: values(4)
  values = 1
  !$cppc init
  call sub(values, 4)
  !$cppc shutdown
contains
  subroutine sub(a, n)
    integer, intent(in) :: n
    real :: a(*)
    !$cppc register(a(n))
    block
!   ~~~~~ error[C0517] `a` is hidden in here by another variable of this name
      integer :: a
      a = 3
      !$cppc checkpoint
      print *, a
    end block
    print *, a(1:n)
  end subroutine
end program
