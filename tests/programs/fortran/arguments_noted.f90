! Exercises: arguments that are values, whatever they are made of. A restart must give the procedure what it was given,
! although the variables have other values by then: intrinsic functions in subscripts, reductions over a dimension, arrays,
! characters, elements that an array picks, constructors with a type of their own.
module noted
  implicit none
  integer :: u(4) = [1, 2, 3, 4], m(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3]), place(2) = [2, 4]
  integer(8) :: total = 0
  character(len=6) :: word = 'abcdef'
contains
  subroutine scalar(a)
    integer, intent(in) :: a
    u = 100; m = 100; place = 1; word = 'zzzzzz'
    !$cppc checkpoint
    total = mod(total, 1000003_8) * 7 + a
    call back
  end subroutine scalar

  subroutine vector(n, a)
    integer, intent(in) :: n
    integer, intent(in) :: a(n)
    u = 100; m = 100; place = 1; word = 'zzzzzz'
    !$cppc checkpoint
    total = mod(total, 1000003_8) * 7 + sum(a * [1, 2])
    call back
  end subroutine vector

  subroutine shaped(a, b)
    integer, intent(in) :: a(:)
    real(8), intent(in) :: b(:)
    u = 100; m = 100; place = 1; word = 'zzzzzz'
    !$cppc checkpoint
    total = mod(total, 1000003_8) * 7 + sum(a) + int(4 * sum(b), 8)
    call back
  end subroutine shaped

  subroutine text(a)
    character(len=*), intent(in) :: a
    u = 100; m = 100; place = 1; word = 'zzzzzz'
    !$cppc checkpoint
    total = mod(total, 1000003_8) * 7 + len(a) + ichar(a(1:1))
    call back
  end subroutine text

  subroutine back
    u = [1, 2, 3, 4]; m = reshape([1, 2, 3, 4, 5, 6], [2, 3]); place = [2, 4]; word = 'abcdef'
  end subroutine back
end module noted

program arguments_noted
  use noted
  implicit none
  integer :: step
  !$cppc init
  !$cppc register(u, m, place, total, word)
  do step = 1, 2
    call scalar(u(lbound(u, 1) + step) + 1)
    call scalar(u(ubound(u, dim=1) - step) * 2)
    call scalar(u(maxloc(u, 1)) + u(minloc(u, dim=1)))
    call scalar(u(findloc(u, 3, 1)) + step)
    call scalar(m(size(m, 1), findloc(m(1, :), 3, dim=1)) + 1)
    call scalar(transfer(u(2), 1) + 1)
    call scalar(sum(m(lbound(m, 1), :)) + step)
    call scalar(maxval(u(lbound(u, 1):ubound(u, 1) - step)) + 0)
    call vector(2, m(:, step) + 1)
    call vector(2, u(place))
    call vector(2, u([3, 1]))
    call vector(2, maxloc(m))
    call vector(2, sum(m, 2))
    call vector(2, (u(1:2)))
    call vector(2, pack(u, u > 2))
    call shaped(reshape(m, [6]), [real(8) :: u(1), u(2), step])
    call shaped([integer :: shape(m), u], spread(0.5d0 * u(2), 1, 3))
    call shaped(matmul(m, [1, 2, u(3)]), dble(m(2, :)))
    call text(word(lbound(u, 1) + 1:size(u)) // 'x')
    call text(adjustr(word))
    call text(repeat(word(step:step), u(3)))
    call text(merge(word, 'ghijkl', u(1) == 1) // '.')
    print '(i0, 1x, i0)', step, total
  end do
  !$cppc shutdown
end program arguments_noted
