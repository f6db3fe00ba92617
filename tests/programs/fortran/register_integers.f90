! Exercises: integers and logicals of every kind, as scalars and as arrays, with values at the ends
! of their ranges.
program integers
  implicit none
  integer(1) :: i1, a1(3)
  integer(2) :: i2, a2(3)
  integer(4) :: i4, a4(3)
  integer(8) :: i8, a8(3)
  logical(1) :: l1, m1(4)
  logical(2) :: l2
  logical(4) :: l4
  logical(8) :: l8, m8(4)
  logical :: plain
  integer :: turn
  i1 = -127; i2 = 32000; i4 = -2147483647; i8 = 9223372036854775000_8
  a1 = [1_1, 2_1, 3_1]; a2 = 100; a4 = 5; a8 = -4
  l1 = .true.; l2 = .false.; l4 = .true.; l8 = .false.; plain = .true.
  m1 = [.true., .false., .true., .true.]; m8 = .false.
  !$cppc init
  !$cppc register(i1, i2, i4, i8, a1, a2, a4, a8)
  !$cppc register(l1, l2, l4, l8, plain, m1, m8)
  do turn = 1, 6
    !$cppc checkpoint
    i1 = i1 + 3_1; i2 = i2 - 1001_2; i4 = i4 + 1000003; i8 = i8 - 7_8**turn
    a1 = cshift(a1, 1); a2 = a2 + int(turn, 2); a4 = a4 * 7; a8 = a8 * a4
    l1 = .not. l1; l2 = l1 .neqv. l4; l4 = l2 .or. l8; l8 = .not. l8; plain = plain .eqv. l8
    m1 = cshift(m1, 1); m8(mod(turn, 4) + 1) = m1(1)
    print '(i2, i5, i7, i12, i21)', turn, i1, i2, i4, i8
    print '(3i4, 3i6, 3i10, 3i20)', a1, a2, a4, a8
    print '(13l2)', l1, l2, l4, l8, plain, m1, m8
  end do
  !$cppc shutdown
end program integers
