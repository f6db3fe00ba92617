! Exercises: pointers that are set and registered behind calls and checkpoints, in a loop too: before that their state is
! undefined, and nobody may ask for it.
module totals
  implicit none
  integer :: total = 0
contains
  subroutine keep()
    !$cppc register(total)
    !$cppc checkpoint
  end subroutine keep
end module totals
program pointers_undefined
  use totals
  implicit none
  integer :: t
  !$cppc init
  !$cppc register(total)
  do t = 1, 2
    call dirty(-7 * t)
    call work(t)
    print '(i0)', total
  end do
  !$cppc shutdown
contains
  subroutine dirty(value)
    integer, intent(in) :: value
    integer :: junk(4000)
    junk = value
    if (sum(junk) == 3) print *, junk
  end subroutine dirty

  subroutine work(t)
    integer, intent(in) :: t
    integer(8), allocatable, target :: v(:), w(:, :)
    integer(8), pointer :: p(:), q(:), s
    integer :: i
    call keep()
    allocate (v(3), w(2, 2))
    v = 8
    w = t
    p => v(2:)
    !$cppc register(v, w)
    !$cppc register(p)
    do i = 1, 3
      !$cppc checkpoint
      call keep()
      q => w(:, 2)
      s => w(1, 1)
      !$cppc register(q, s)
      call keep()
      q = q + i
      s = s + 1
      p(lbound(p, 1)) = p(lbound(p, 1)) + i + q(1) + w(1, 1)
      total = total + int(p(lbound(p, 1)))
    end do
  end subroutine work
end program pointers_undefined
