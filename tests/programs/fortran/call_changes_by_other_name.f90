! Exercises: registered scalars that a procedure changes through another name before a checkpoint below it: in SELECT TYPE,
! SELECT RANK and ASSOCIATE.
module other_names
  implicit none
contains
  subroutine below
    !$cppc checkpoint
  end subroutine below

  subroutine by_type(a)
    class(*), intent(inout) :: a
    select type (a)
    type is (real)
      a = a + 3
    end select
    call below
  end subroutine by_type

  subroutine by_rank(a)
    integer, intent(inout) :: a(..)
    select rank (a)
    rank (0)
      a = a + 5
    end select
    call below
  end subroutine by_rank

  subroutine by_association(a)
    integer, intent(inout) :: a
    associate (other => a)
      other = other + 7
    end associate
    call below
  end subroutine by_association
end module other_names

program call_changes_by_other_name
  use other_names
  implicit none
  real :: x
  integer :: i, m, n
  !$cppc init
  x = 0
  m = 1
  n = 2
  !$cppc register(x, m, n)
  do i = 1, 3
    call by_type(x)
    call by_rank(m)
    call by_association(n)
    print '(i0, f8.3, 2(1x, i0))', i, x, m, n
  end do
  !$cppc shutdown
end program call_changes_by_other_name
