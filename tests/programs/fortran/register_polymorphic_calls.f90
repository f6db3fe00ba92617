! Polymorphic variables of recursive procedures, optional arguments, `class(*)` without a value, and components of components.
!
! compilers: gfortran
module kinds
  implicit none
  type :: base
    integer :: k = 1
    class(base), pointer :: next => null()
  end type
  type, extends(base) :: child
    real(8) :: v(3) = 2
    class(*), allocatable :: extra
  end type
  type, extends(child) :: grand
    type(child) :: inner
    class(base), allocatable :: deep(:)
  end type
  class(base), pointer :: top => null()
contains
  subroutine opt(a, b, n)
    class(base), intent(inout), optional :: a
    class(base), pointer, intent(in), optional :: b
    integer, intent(in) :: n
    !$cppc register(a, b)
    !$cppc checkpoint
    if (present(a)) a%k = a%k + n
    if (present(b)) b%k = b%k + n
  end subroutine
  recursive subroutine local(n)
    integer, intent(in) :: n
    class(base), allocatable :: s
    class(base), pointer :: p
    class(*), allocatable :: u
    integer :: i
    nullify (p)
    !$cppc register(s, p, u, i)
    do i = 1, n
      if (mod(i, 2) == 0) then
        if (allocated(s)) deallocate (s)
        allocate (child :: s)
      else
        if (allocated(s)) deallocate (s)
        allocate (grand :: s)
      end if
      s%k = i * 10 + n
      if (allocated(u)) deallocate (u)
      if (i == 1) allocate (u, source=3.5d0)
      if (i == 2) allocate (u, source='text' // repeat('x', n))
      if (i > 2) allocate (u, source=s)
      allocate (child :: p)
      p%k = i
      p%next => top
      top => p
      if (n > 2) call local(n - 1)
      !$cppc checkpoint
      call opt(s, p, i)
      if (i == 2) call opt(n=i)
      if (i == 3) call opt(b=top, n=1)
      print *, n, i, s%k, p%k, top%k, associated(p, top)
      select type (u)
      type is (real(8))
        print *, 'real', u
      type is (character(*))
        print *, 'char', u
      class is (base)
        print *, 'class', u%k
      end select
    end do
  end subroutine
end module kinds
program polymorphic_calls
  use kinds
  implicit none
  !$cppc init
  !$cppc register(top)
  call local(4)
  !$cppc shutdown
end program polymorphic_calls
