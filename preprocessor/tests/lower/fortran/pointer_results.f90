module store
  integer, target :: count
  real, allocatable, target :: pool(:)
contains
  function counter() result(p)
    integer, pointer :: p
    p => count
  end function
  function made(n) result(list)
    integer, intent(in) :: n
    real, allocatable :: list(:)
    allocate(list(n))
    list = 1
  end function
  subroutine use_them(k, x)
    integer :: k
    real :: x(3)
    integer, pointer :: q
    k = counter() + 1
    q => counter()
    x = made(3)
    counter() = k
  end subroutine
end module
