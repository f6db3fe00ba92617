! Every kind that all machines have: in modules, automatic, in arrays, captured. Bits are printed where they
! have to be the same.
module kept
  implicit none
  integer(1), save :: i1 = -100, i1s(3) = [1_1, -2_1, 3_1]
  integer(2), save :: i2 = -30000, i2s(2, 2) = reshape([1_2, 2_2, -3_2, 400_2], [2, 2])
  integer(4), save :: i4 = -2000000000, i4s(-1:1) = [7, -8, 9]
  integer(8), save :: i8 = -9000000000000000001_8, i8s(2) = [5000000000_8, -1_8]
  logical(1), save :: l1 = .true., l1s(3) = [.true., .false., .true.]
  logical(2), save :: l2 = .false., l2s(2) = [.false., .true.]
  logical(4), save :: l4 = .true., l4s(2) = [.true., .true.]
  logical(8), save :: l8 = .true., l8s(2) = [.false., .true.]
  real(4), save :: r4 = 0.1, r4s(3) = [0.5, -1.25, 3.0]
  real(8), save :: r8 = 0.1d0, r8s(2, 3) = reshape([1d0, 2d0, 3d0, 4d0, 5d0, 6d0], [2, 3])
  real(16), save :: r16 = 0.1_16, r16s(2) = [1.5_16, -0.3_16]
  complex(4), save :: c4 = (0.1, -2.0), c4s(2) = [(1.0, 2.0), (3.0, -4.0)]
  complex(8), save :: c8 = (0.1d0, -2d0), c8s(2) = [(1d0, 2d0), (3d0, -4d0)]
  complex(16), save :: c16 = (0.1_16, -2._16), c16s(2) = [(1._16, 2._16), (3._16, -4._16)]
  character(len=7), save :: word = 'letters', words(2) = ['one    ', 'another']
  character, save :: letter = 'q'
end module kept

program kinds
  use kept
  implicit none
  integer(1) :: a1
  integer(2) :: a2
  integer(8) :: a8, made(3)
  logical(1) :: b1
  logical :: b4
  logical(8) :: b8
  real(4) :: s4
  real(8) :: s8
  real(16) :: s16
  complex(4) :: d4
  complex(8) :: d8
  complex(16) :: d16
  character(len=11) :: text
  integer :: turn
  !$cppc init
  a1 = 11_1; a2 = -12_2; a8 = 1234567890123456789_8
  b1 = .true.; b4 = .false.; b8 = .true.
  s4 = 1.1; s8 = 1.1d0; s16 = 1.1_16
  d4 = (0.5, 0.25); d8 = (0.1d0, 0.2d0); d16 = (0.1_16, 0.2_16)
  text = 'automatic'
  do turn = 1, 3
    !$cppc execute capture(turn, a8, b8, s16, d4, text)
    made(turn) = a8 / 7 + merge(1, 0, b8) + int(s16 * 1000) + int(real(d4) * 8) + ichar(text(turn:turn))
    !$cppc end execute
    a8 = a8 / 3; b8 = .not. b8; s16 = s16 * 1.5_16; d4 = d4 * (0.0, 2.0); text = text(2:)
  end do
  !$cppc register(i1, i1s, i2, i2s, i4, i4s, i8, i8s, l1, l1s, l2, l2s, l4, l4s, l8, l8s)
  !$cppc register(r4, r4s, r8, r8s, r16, r16s, c4, c4s, c8, c8s, c16, c16s, word, words, letter)
  !$cppc register(a1, a2, a8, b1, b4, b8, s4, s8, s16, d4, d8, d16, text)
  do turn = 1, 4
    !$cppc checkpoint
    call maybe_die(turn)
    i1 = i1 + 3_1; i1s = cshift(i1s, 1); i2 = i2 / 3_2; i2s = transpose(i2s) + 1_2; i4 = i4 / 3 + turn; i4s = i4s * 3
    i8 = i8 / 5; i8s = i8s(2:1:-1) * 3
    l1 = .not. l1; l1s = cshift(l1s, 1); l2 = .not. l2; l2s = .not. l2s; l4 = l1s(1); l4s(1) = .not. l4s(1)
    l8 = .not. l8; l8s = l8s(2:1:-1)
    r4 = r4 * 1.5; r4s = r4s + r4; r8 = r8 * 1.1d0; r8s = r8s / 3; r16 = r16 * 1.1_16; r16s = r16s / 3
    c4 = c4 * (1, 1); c4s = conjg(c4s) + c4; c8 = c8 * (0, 1); c8s = c8s + c8; c16 = c16 * (0, 1); c16s = c16s + c16
    word = word(2:) // letter; words(1) = word; letter = char(ichar(letter) + 1)
    a1 = a1 * 2_1; a2 = a2 - 7_2; a8 = a8 * 2 + 1; b1 = .not. b1; b4 = b1 .or. b4; b8 = b4 .neqv. b8
    s4 = s4 + r4; s8 = s8 + r8; s16 = s16 + r16; d4 = d4 + c4; d8 = d8 + c8; d16 = d16 + c16
    text = text(2:) // letter
  end do
  print '(20(1x, i0))', i1, i1s, i2, i2s, i4, i4s, i8, i8s, made
  print '(30(1x, l1))', l1, l1s, l2, l2s, l4, l4s, l8, l8s
  print '(20(1x, z8.8))', r4, r4s, c4, c4s
  print '(20(1x, z16.16))', r8, r8s, c8, c8s
  print '(20(1x, es44.34))', r16, r16s, c16, c16s
  print '(4a)', word, words, letter
  print '(3(1x, i0), 3(1x, l1), 1x, z8.8, 1x, z16.16, 1x, es44.34)', a1, a2, a8, b1, b4, b8, s4, s8, s16
  print '(2(1x, z8.8), 2(1x, z16.16), 2(1x, es44.34), a)', d4, d8, d16, text
  !$cppc shutdown
end program kinds

include 'dying.inc'
