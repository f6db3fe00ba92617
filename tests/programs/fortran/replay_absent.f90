! Exercises: allocatables that nobody registers, as arguments of calls that have returned and are repeated for the execute
! block below them: in a restart they are not there, neither as a whole, nor in elements and sections.
program replay_absent
  implicit none
  integer :: i, s, table(8)
  !$cppc init
  s = 0
  !$cppc register(s)
  call outer(3)
  do i = 1, 3
    !$cppc checkpoint
    s = s + table(2) * i + table(3) + table(4)
  end do
  !$cppc shutdown
  print *, s
contains
  subroutine outer(k)
    integer, intent(in) :: k
    integer, allocatable :: loc(:), mat(:, :)
    allocate (loc(0:k), mat(k, k))
    loc = [2, 3, 4, 5]
    mat = 4
    call fill(loc(0))
    call fill(loc(lbound(loc, 1) + 1))
    call fill(mat(2, k) + 0)
    call some(loc(1:k:2), 2)
    call shaped(loc(1:2))
    call shaped(mat(:, 1))
    call shaped(loc)
  end subroutine outer
  subroutine fill(n)
    integer :: n
    !$cppc execute capture(n)
    table(n) = n + 5
    !$cppc end execute
  end subroutine fill
  subroutine some(a, n)
    integer :: n, a(n), k
    k = a(1)
    !$cppc execute capture(k)
    table(k) = k + 5
    !$cppc end execute
  end subroutine some
  subroutine shaped(a)
    integer :: a(:), k
    k = a(1)
    !$cppc execute capture(k)
    table(k) = k + 50
    !$cppc end execute
  end subroutine shaped
end program replay_absent
