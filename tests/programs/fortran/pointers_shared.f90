! Exercises: pointers that share memory: to a part of a registered array, to the whole of another's
! target, two to one allocated block, and to a variable of the program.
program shared
  implicit none
  real(8), target :: field(10), scale
  real(8), pointer :: left(:), right(:), all(:), heap(:), again(:), factor
  integer :: i
  field = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  scale = 0.5d0
  left => field(1:5)
  right => field(6:10)
  all => field
  factor => scale
  allocate (heap(4))
  heap = 0
  again => heap
  !$cppc init
  !$cppc register(field, scale)
  !$cppc register(left, right, all, heap, again, factor)
  do i = 1, 6
    !$cppc checkpoint
    left(1) = left(5) + right(1) * factor
    right = right * 0.5d0 + left
    all(i) = all(i) + 1
    again(mod(i, 4) + 1) = left(1)
    heap(1) = heap(1) + again(2)
    factor = factor * 0.75d0
    if (i == 3) then
      left => field(2:6)
      right => field(3:7)
    end if
    print '(i2, l2, 9(1x, z16.16))', i, associated(left, field(2:6)), field(1), field(5), field(10), heap, again(1), scale
  end do
  !$cppc shutdown
end program shared
