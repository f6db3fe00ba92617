! Exercises: BLOCK and ASSOCIATE with names that hide those of variables around them, which have to be named at the
! checkpoints inside: of other types, of the same type, arrays, variables of modules and hosts, blocks within blocks.
module hidden
  implicit none
  integer :: level = 1
  real(8) :: field(3) = 1
end module hidden

program hidden_names
  use hidden
  implicit none
  type pair
    integer :: n
    real(8) :: x
  end type pair
  integer :: x, i, list(4)
  type(pair) :: p(2)
  !$cppc init
  x = 8
  list = [1, 2, 3, 4]
  p = [pair(1, 2d0), pair(3, 4d0)]
  !$cppc register(x, list, p, level, field)
  do i = 1, 3
    x = x * 3 + i
    call add(x)
    list = list + i
    p%n = p%n + i
    level = level + i
    field = field * i
    outer: block
      real :: x
      character(len=5) :: list, level
      integer :: p
      x = 0.5 * i
      list = 'hello'
      level = 'north'
      p = i
      !$cppc register(x, list, p, level)
      !$cppc checkpoint
      if (i == 2) exit outer
      block
        integer :: x, field
        x = p + 1
        field = i
        !$cppc register(x, field)
        !$cppc checkpoint
        call add(x)
        print '(a, 2i4)', 'inner', x, field
        if (i == 3) exit outer
      end block
      associate (field => list)
        !$cppc checkpoint
        print "(a, f6.1, 1x, a, 1x, a, i4)", "outer", x, field, level, p
      end associate
    end block outer
    print '(9i6, 5f8.1)', i, x, list, p%n, level, p%x, field
  end do
  !$cppc shutdown
contains
  subroutine add(y)
    integer, intent(inout) :: y
    !$cppc checkpoint
    y = y + 1
  end subroutine add
end program hidden_names
