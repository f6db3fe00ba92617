! The size of an automatic array is registered before the call that evaluates it.
module sizes
  implicit none
  integer :: m = 1
  integer, private :: hidden = 1
contains
  subroutine set()
    m = 3
    hidden = 4
  end subroutine set
  subroutine work()
    real :: a(m), b(hidden)
    integer :: i
    do i = 1, 3
      !$cppc checkpoint
      a = i
      b = i
      print *, a, b
    end do
  end subroutine work
end module sizes

program main
  use sizes
  implicit none
  integer :: dims(2), k
  !$cppc init
  call set()
  dims = 2
  k = 3
  call inner(dims)
  call work()
  !$cppc shutdown
contains
  subroutine inner(dims)
    integer, intent(in) :: dims(2)
    character(len=dims(1)) :: text
    text = 'abc'
    !$cppc checkpoint
    block
      real :: c(k)
      !$cppc checkpoint
      c = 1
      print *, c, text
    end block
  end subroutine inner
end program main
