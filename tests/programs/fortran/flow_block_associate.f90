! Exercises: BLOCK with variables of its own and ASSOCIATE with other names for variables around
! checkpoints and around calls that lead to one; ASSOCIATE with parts and expressions next to them.
program blocks
  implicit none
  type cell
    real(8) :: value = 1
    integer :: count = 0
  end type cell
  type(cell) :: cells(4), current
  real(8) :: field(6), total
  integer :: i
  field = [1, 2, 3, 4, 5, 6]; total = 0
  !$cppc init
  !$cppc register(cells, current, field, total)
  do i = 1, 5
    block
      integer :: k
      real(8) :: local
      local = field(i)
      !$cppc register(local)
      do k = 1, 3
        local = local * 0.5d0 + k
        !$cppc checkpoint
      end do
      total = total + local
    end block
    associate (c => current, whole => field)
      c = cells(mod(i, 4) + 1)
      c%value = c%value + total
      whole(1:3) = whole(1:3) * 0.75d0
      !$cppc checkpoint
      c%count = c%count + 2 * i
      call advance(c%value, i)
    end associate
    cells(mod(i, 4) + 1) = current
    associate (half => field(1:3), twice => 2 * i)
      half = half + twice
    end associate
    print '(i2, 4i4, 3(1x, z16.16))', i, cells%count, total, sum(field), sum(cells%value)
  end do
  !$cppc shutdown
contains
  subroutine advance(x, by)
    real(8), intent(inout) :: x
    integer, intent(in) :: by
    x = x + by
    !$cppc checkpoint
    x = x * 0.5d0
  end subroutine advance
end program blocks
