! Exercises: dummy arguments that are captured while constants are given for them: after the block has run again their
! values are put back, but nothing may be written to a constant.
program capture_constants
  implicit none
  integer :: i, s, table(6)
  real(8) :: weight(3)
  character(len=4) :: tags(3)
  logical :: flags(2)
  !$cppc init
  s = 0
  !$cppc register(s)
  call fill(2, 0.0d0, 'two', .true.)
  call fill(3, -0.0d0, 'four', .false.)
  do i = 4, 5
    call fill(i, 1d0 * i, 'many', i == 4)
  end do
  do i = 1, 5
    !$cppc checkpoint
    s = s + table(max(2, i)) * i + ichar(tags(min(i, 3))(1:1)) + merge(1, 2, flags(mod(i, 2) + 1)) &
      + int(sign(3d0, weight(min(i, 3))))
    print '(i0)', s
  end do
  !$cppc shutdown
contains
  subroutine fill(n, x, tag, flag)
    integer :: n
    real(8) :: x
    character(len=*) :: tag
    logical :: flag
    !$cppc execute capture(n, x, tag, flag)
    table(n) = n + 5
    weight(min(n, 4) - 1) = x
    tags(min(n, 4) - 1) = tag
    flags(mod(n, 2) + 1) = flag
    !$cppc end execute
  end subroutine fill
end program capture_constants
