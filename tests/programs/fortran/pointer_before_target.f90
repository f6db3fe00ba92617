! Exercises: pointers that are registered before what they point to: a variable, a part of one, an allocatable, a part
! of another pointer's memory, a component, and two that overlap in one variable.
program pointer_before_target
  implicit none
  type node
    integer :: k(3)
    integer, pointer :: p(:)
  end type
  integer, target :: a(4), scalar, shared(6)
  integer, target, allocatable :: grown(:)
  integer, pointer :: whole(:), part(:), one, inside(:), large(:), slice(:), left(:), right(:)
  type(node) :: s
  integer :: i
  !$cppc init
  a = 4
  scalar = 2
  shared = [1, 2, 3, 4, 5, 6]
  allocate (grown(5), large(300))
  grown = 7
  large = 1
  whole => a
  part => a(2:3)
  one => scalar
  inside => grown(2:4)
  slice => large(200:260)
  left => shared(1:4)
  right => shared(3:6)
  s%k = 1
  s%p => a
  !$cppc register(whole, part, one)
  !$cppc register(inside, slice, left, right, s%p)
  !$cppc register(s%k)
  !$cppc register(a, scalar, shared)
  !$cppc register(grown)
  !$cppc register(large)
  do i = 1, 5
    !$cppc checkpoint
    whole(1) = whole(1) + i
    part(2) = part(2) * 2
    a(2) = a(3) - i
    one = one + scalar
    inside(3) = inside(3) + grown(4)
    slice(1) = slice(1) + i
    large(201) = large(200) + large(260)
    slice(61) = slice(2) - i
    left(4) = right(1) + left(2)
    right(4) = left(3) + i
    s%p(4) = s%k(2) + s%p(1)
    s%k = s%k + i
    print '(30(1x, i0))', i, a, scalar, shared, grown, sum(large), whole, part, one, inside, sum(slice), left, right, s%k
  end do
  !$cppc shutdown
end program pointer_before_target
