! Exercises: BLOCK with variables of its own and ASSOCIATE with names for variables, parts and
! expressions, around checkpoints and around calls that lead to one.
program blocks
  implicit none
  type cell
    real(8) :: value = 1
    integer :: count = 0
  end type cell
  type(cell) :: cells(4)
  real(8) :: field(6), total
  integer :: i
  field = [1, 2, 3, 4, 5, 6]; total = 0
  !$cppc init
  !$cppc register(cells, field, total)
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
    associate (c => cells(mod(i, 4) + 1), half => field(1:3), twice => 2 * i)
      c%value = c%value + total
      half = half * 0.75d0
      !$cppc checkpoint
      c%count = c%count + twice
      call advance(c%value, twice)
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
