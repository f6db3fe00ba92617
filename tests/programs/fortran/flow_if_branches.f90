! Exercises: checkpoints in each branch of nested IFs, registers and executes in some, conditions whose
! value changes behind the block they led to.
program branches
  implicit none
  integer :: i, kind_of, only_here, made
  real(8) :: x
  x = 1; made = 0
  !$cppc init
  !$cppc register(x, kind_of, i)
  do i = 1, 12
    kind_of = mod(i * 7, 5)
    if (kind_of == 0) then
      kind_of = 9
      !$cppc checkpoint
      x = x * 0.5d0
    else if (kind_of == 1) then
      only_here = i
      !$cppc register(only_here)
      kind_of = 8
      if (i > 3) then
        !$cppc checkpoint
        x = x + only_here
      else
        x = x - 1
        !$cppc checkpoint
        x = x - only_here
      end if
    elseif (kind_of == 2) then
      x = x + 2
    else
      if (kind_of == 3) then
        !$cppc execute capture(i)
        made = made + 1
        !$cppc end execute
        !$cppc checkpoint
      else if (i == 100) then
        !$cppc checkpoint
        x = -1
      else
        deeper: if (x > 0) then
          x = x * 1.5d0
          !$cppc checkpoint
          x = x + 0.25d0
        else deeper
          x = 1
        end if deeper
      end if
      x = x + kind_of
    end if
    print '(3i4, 1x, z16.16)', i, kind_of, only_here_or(0), x
  end do
  !$cppc shutdown
contains
  integer function only_here_or(other)
    integer, intent(in) :: other
    only_here_or = other
    if (i > 3) only_here_or = only_here
  end function only_here_or
end program branches
