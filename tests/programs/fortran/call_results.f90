! Exercises: functions that lead to a checkpoint and return character strings, derived types and complex
! numbers, in statements that use them at once, and arrays and allocatables, in statements of their own.
program results
  implicit none
  type pair
    integer :: n
    real(8) :: x
  end type pair
  type(pair) :: p
  integer :: i
  real(8) :: u(4), v(4), total
  real(8), allocatable :: list(:)
  character(len=8) :: word
  complex(8) :: z
  u = 1; total = 0; word = 'start'; p = pair(1, 2); z = 1
  !$cppc init
  !$cppc register(u, total, word, p, z)
  do i = 1, 4
    v = shifted(u, i)
    !$cppc register(v)
    u = shifted(u, -i)
    u = v + 0.5d0 * u
    list = firsts(4)
    total = total + sum(u) + dot_product(u, list)
    word = trim(marked(word)) // marked('ab')
    if (marked('q') == 'q.') total = total + 1
    p = next(p)
    p%x = p%x + twice(z)
    z = turned(z) * turned((0d0, 1d0))
    print '(i2, i5, 1x, a, 8(1x, z16.16))', i, p%n, word, p%x, total, z, u
  end do
  !$cppc shutdown
contains
  function shifted(a, by) result(b)
    real(8), intent(in) :: a(:)
    integer, intent(in) :: by
    real(8) :: b(size(a))
    b = cshift(a, by)
    !$cppc register(b)
    !$cppc checkpoint
    b(1) = b(1) + by
  end function shifted

  function firsts(n) result(list)
    integer, intent(in) :: n
    real(8), allocatable :: list(:)
    integer :: k
    !$cppc checkpoint
    list = [(k * 0.5d0, k = 1, n)]
  end function firsts

  function marked(text)
    character(len=*), intent(in) :: text
    character(len=len(text) + 1) :: marked
    marked = text
    !$cppc register(marked)
    !$cppc checkpoint
    marked(len(text) + 1:) = '.'
  end function marked

  type(pair) function next(q)
    type(pair), intent(in) :: q
    next%n = q%n * 2
    !$cppc checkpoint
    next%x = q%x * 0.5d0 + q%n
    next%n = q%n * 2
  end function next

  complex(8) function turned(c)
    complex(8), intent(in) :: c
    !$cppc checkpoint
    turned = c * (0d0, 1d0)
  end function turned

  real(8) function twice(c)
    complex(8), intent(in) :: c
    twice = 2 * real(c, 8)
  end function twice
end program results
