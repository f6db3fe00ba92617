! Exercises: procedures that name many allocatables and pointers at many calls: procedures of a module, an external one with
! and one without a CONTAINS of its own, the main program; characters, scalars, pointers, arrays of derived types between them.
module store
  implicit none (type)
  type cell
    integer :: n
    real(8) :: x
  end type cell
  real(8), allocatable :: a(:), b(:, :), c(:, :, :)
  integer, allocatable :: n(:), count
  complex(8), allocatable :: z(:)
  logical, allocatable :: flags(:)
  character(len=5), allocatable :: words(:)
  real(8), pointer :: p(:) => null(), q(:, :) => null()
  type(cell) :: cells(2)
contains
  subroutine set_up
    allocate (a(3), b(0:1, 2), c(1, 2, 1), n(4), count, z(2), flags(3), words(2), p(2), q(2, 2))
    a = 1; b = 2; c = 3; n = 4; count = 5; z = (1, 2); flags = .true.; words = 'word'; p = 6; q = 7
    cells = cell(1, 2)
  end subroutine set_up

  subroutine advance(i)
    integer, intent(in) :: i
    call bump(i)
    call grow(i)
    call bump(i + 1)
    call inner
  contains
    subroutine inner
      call bump(3)
      call grow(i)
    end subroutine inner
  end subroutine advance

  subroutine bump(i)
    integer, intent(in) :: i
    !$cppc checkpoint
    a = a + i; b(1, :) = b(1, :) * 2; c = c - i; n(2) = n(2) + i; count = count + 1
    z = z * (0, 1); flags(mod(i, 3) + 1) = .not. flags(mod(i, 3) + 1); words(1)(i:i) = '*'
    p = p + a(1); q(:, 1) = q(:, 1) - 1; cells%n = cells%n + i
    a = modulo(a, 101d0); b = modulo(b, 103d0)
  end subroutine bump

  subroutine grow(i)
    integer, intent(in) :: i
    real(8), allocatable :: old(:)
    old = a
    deallocate (a)
    allocate (a(size(old) + 1))
    a(:size(old)) = old
    a(size(a)) = i
    if (mod(i, 2) == 0) then
      deallocate (q)
      allocate (q(i:i + 1, 2))
      q = i
    end if
    !$cppc checkpoint
    a(1) = a(1) + 1
  end subroutine grow
end module store

program many_arrays
  use store
  implicit none
  integer, allocatable :: own(:)
  integer :: i
  interface
    subroutine outside(i)
      integer, intent(in) :: i
    end subroutine outside
  end interface
  call set_up
  allocate (own(2))
  own = 0
  !$cppc init
  !$cppc register(a, b, c, n, count, z, flags, words, p, q, cells, own)
  do i = 1, 2
    call advance(i)
    call outside(i)
    call alone(i)
    !$cppc checkpoint
    own = own + i
    print '(i2, 9f8.2)', i, sum(a), sum(b), sum(c), sum(p), sum(q), abs(z), sum(cells%x)
    print '(9i5, 3l2, 1x, 2a6)', n, count, own, cells%n, flags, words
  end do
  !$cppc shutdown
contains
  subroutine alone(i)
    integer, intent(in) :: i
    call bump(i)
    own(1) = own(1) + size(a)
    call bump(i + 2)
  end subroutine alone
end program many_arrays

subroutine outside(i)
  use store
  integer, intent(in) :: i
  call bump(i)
  if (i > 1) call bump(2)
  call bump(1)
end subroutine outside
