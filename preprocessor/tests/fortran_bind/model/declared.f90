program declared
  implicit none
  type part
    real :: a(3)
    real, pointer :: far(:)
  end type part
  type(part) :: s, many(2)
  integer :: i = 1
  interface
    recursive integer function fib(n) result(r)
      integer, intent(in) :: n
    end function
  end interface
  associate (w => s%a, z => many(2)%a(2:3))
    !$cppc checkpoint
  end associate
  associate (w => s%far)
  end associate
  associate (w => many(i)%a)
  end associate
contains
  subroutine numbers
    enum, bind(c)
      enumerator :: one = 1
      enumerator :: two
    end enum
    !$cppc checkpoint
  end subroutine numbers
  subroutine generic
    interface any
      module procedure numbers
      procedure :: generic
    End   Interface any
    !$cppc checkpoint
  end subroutine generic
end program declared
