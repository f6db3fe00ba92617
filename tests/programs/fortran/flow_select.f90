! Exercises: SELECT CASE over integers, characters and logicals with checkpoints in the cases, ranges,
! a default in the middle, a selector that is changed in the case and one that is a call.
program selects
  implicit none
  integer :: i, n
  character(len=3) :: word
  real(8) :: x
  n = 0; x = 1; word = 'aaa'
  !$cppc init
  !$cppc register(n, x, word)
  do i = 1, 10
    which: select case (mod(i, 5))
    case (0)
      !$cppc checkpoint
      n = n + 1
    case default which
      n = n + 2
      !$cppc checkpoint
      n = n * 2
    case (1, 3)
      select case (word)
      case ('aaa':'bbb')
        word = 'ccc'
        !$cppc checkpoint
        n = n + 3
      case ('ccc')
        word = 'aab'
        !$cppc checkpoint
      end select
    end select which
    select case (n > 20)
    case (.true.)
      n = n - 19
      !$cppc checkpoint
      x = x * 0.5d0
    case (.false.)
      x = x + 1
    end select
    select case (classify(x))
    case (:-1)
      x = x + 3
    case (0)
      !$cppc checkpoint
      x = x - 4
    case (1:)
      x = x - 1
      !$cppc checkpoint
    end select
    print '(2i4, 1x, a, 1x, z16.16)', i, n, word, x
  end do
  !$cppc shutdown
contains
  integer function classify(y)
    real(8), intent(in) :: y
    !$cppc checkpoint
    classify = int(y) / 2
  end function classify
end program selects
