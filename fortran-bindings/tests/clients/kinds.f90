! Every kind that every compiler has, as a saved scalar and as an array in place; texts, also an empty one; a
! scalar that is not registered any more.
program kinds
  implicit none
  integer(1) :: i1_v, i1_a(3, 2)
  integer(2) :: i2_v, i2_a(3, 2)
  integer(4) :: i4_v, i4_a(3, 2)
  integer(8) :: i8_v, i8_a(3, 2)
  logical(1) :: l1_v, l1_a(3, 2)
  logical(2) :: l2_v, l2_a(3, 2)
  logical(4) :: l4_v, l4_a(3, 2)
  logical(8) :: l8_v, l8_a(3, 2)
  real(4) :: r4_v, r4_a(3, 2)
  real(8) :: r8_v, r8_a(3, 2)
  complex(4) :: c4_v, c4_a(3, 2)
  complex(8) :: c8_v, c8_a(3, 2)
  character(len=7) :: word, words(2, 2)
  character(len=0) :: empty
  integer :: step, cppc_next, cppc_first, cppc_last, kept
  include 'cppcf.h'
  call cppc_arguments
  cppc_next = cppc_enter('kinds', 4)
90000 if (cppc_next /= 0) go to (90001, 90002, 90003, 90003, 90009), cppc_next
90001 call cppc_init
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
  i1_v = 1_1
  i1_a = 1_1
  i2_v = 1_2
  i2_a = 1_2
  i4_v = 1_4
  i4_a = 1_4
  i8_v = 1_8
  i8_a = 1_8
  l1_v = .false.
  l1_a = .false.
  l2_v = .false.
  l2_a = .false.
  l4_v = .false.
  l4_a = .false.
  l8_v = .false.
  l8_a = .false.
  r4_v = 0.1_4
  r4_a = 0.1_4
  r8_v = 0.1_8
  r8_a = 0.1_8
  c4_v = (0.1_4, 1)
  c4_a = (0.1_4, 1)
  c8_v = (0.1_8, 1)
  c8_a = (0.1_8, 1)
  word = 'abc'
  words = 'xyz'
  empty = ''
90002 call cppc_block(2)
  call cppc_register_value_integer_1(0, 10, i1_v, 'i1_v', cppc_automatic)
  call cppc_register_array_integer_1(0, i1_a, size(i1_a, kind=8), 'i1_a', cppc_automatic)
  call cppc_register_value_integer_2(0, 11, i2_v, 'i2_v', cppc_automatic)
  call cppc_register_array_integer_2(0, i2_a, size(i2_a, kind=8), 'i2_a', cppc_automatic)
  call cppc_register_value_integer_4(0, 12, i4_v, 'i4_v', cppc_automatic)
  call cppc_register_array_integer_4(0, i4_a, size(i4_a, kind=8), 'i4_a', cppc_automatic)
  call cppc_register_value_integer_8(0, 13, i8_v, 'i8_v', cppc_automatic)
  call cppc_register_array_integer_8(0, i8_a, size(i8_a, kind=8), 'i8_a', cppc_automatic)
  call cppc_register_value_logical_1(0, 14, l1_v, 'l1_v', cppc_automatic)
  call cppc_register_array_logical_1(0, l1_a, size(l1_a, kind=8), 'l1_a', cppc_automatic)
  call cppc_register_value_logical_2(0, 15, l2_v, 'l2_v', cppc_automatic)
  call cppc_register_array_logical_2(0, l2_a, size(l2_a, kind=8), 'l2_a', cppc_automatic)
  call cppc_register_value_logical_4(0, 16, l4_v, 'l4_v', cppc_automatic)
  call cppc_register_array_logical_4(0, l4_a, size(l4_a, kind=8), 'l4_a', cppc_automatic)
  call cppc_register_value_logical_8(0, 17, l8_v, 'l8_v', cppc_automatic)
  call cppc_register_array_logical_8(0, l8_a, size(l8_a, kind=8), 'l8_a', cppc_automatic)
  call cppc_register_value_real_4(0, 18, r4_v, 'r4_v', cppc_automatic)
  call cppc_register_array_real_4(0, r4_a, size(r4_a, kind=8), 'r4_a', cppc_automatic)
  call cppc_register_value_real_8(0, 19, r8_v, 'r8_v', cppc_automatic)
  call cppc_register_array_real_8(0, r8_a, size(r8_a, kind=8), 'r8_a', cppc_automatic)
  call cppc_register_value_complex_4(0, 20, c4_v, 'c4_v', cppc_automatic)
  call cppc_register_array_complex_4(0, c4_a, size(c4_a, kind=8), 'c4_a', cppc_automatic)
  call cppc_register_value_complex_8(0, 21, c8_v, 'c8_v', cppc_automatic)
  call cppc_register_array_complex_8(0, c8_a, size(c8_a, kind=8), 'c8_a', cppc_automatic)
  call cppc_register_value_character(0, 5, word, 'word', cppc_automatic)
  call cppc_register_value_character(0, 6, empty, 'empty', cppc_automatic)
  call cppc_register_array_character(0, words, size(words, kind=8), 'words', cppc_automatic)
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
  kept = 0
90003 if (cppc_next == 0) then
    cppc_first = 1
    cppc_last = 5
  end if
  call cppc_loop_integer_4(1, cppc_first, cppc_last, 1)
  do step = cppc_first, cppc_last
    if (cppc_next /= 0) go to (90004, 90005), cppc_next - 2
    if (step == 4) call cppc_unregister('word')
    i1_v = mod(i1_v * 3_1 + int(step, 1), 40_1)
    i1_a = mod(i1_a + i1_v, 100_1)
    i2_v = mod(i2_v * 3_2 + int(step, 2), 40_2)
    i2_a = mod(i2_a + i2_v, 100_2)
    i4_v = mod(i4_v * 3_4 + int(step, 4), 40_4)
    i4_a = mod(i4_a + i4_v, 100_4)
    i8_v = mod(i8_v * 3_8 + int(step, 8), 40_8)
    i8_a = mod(i8_a + i8_v, 100_8)
    l1_v = .not. l1_v .or. mod(step, 3) == 0
    l1_a(:, 1) = l1_v
    l1_a(:, 2) = .not. l1_a(3:1:-1, 1)
    l2_v = .not. l2_v .or. mod(step, 3) == 0
    l2_a(:, 1) = l2_v
    l2_a(:, 2) = .not. l2_a(3:1:-1, 1)
    l4_v = .not. l4_v .or. mod(step, 3) == 0
    l4_a(:, 1) = l4_v
    l4_a(:, 2) = .not. l4_a(3:1:-1, 1)
    l8_v = .not. l8_v .or. mod(step, 3) == 0
    l8_a(:, 1) = l8_v
    l8_a(:, 2) = .not. l8_a(3:1:-1, 1)
    r4_v = r4_v * 1.25_4 + step
    r4_a = r4_a + r4_v
    r8_v = r8_v * 1.25_8 + step
    r8_a = r8_a + r8_v
    c4_v = c4_v * (0.5_4, 0.25_4) + step
    c4_a = c4_a + c4_v
    c8_v = c8_v * (0.5_8, 0.25_8) + step
    c8_a = c8_a + c8_v
    word(step:step) = achar(96 + step)
    words(1, :) = word(2:)//'!'
90004 if (cppc_execute(3) /= 0) continue
      call cppc_capture_integer_1(i1_v, 'v')
      call cppc_capture_character(word, 'word')
      call cppc_capture_array_character(words, 4_8, 'words')
      kept = kept + ichar(word(1:1))
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
90005 continue
      call cppc_save_integer_4(1, step)
      call cppc_save_integer_4(4, kept)
      call cppc_save_integer_1(10, i1_v)
      call cppc_save_integer_2(11, i2_v)
      call cppc_save_integer_4(12, i4_v)
      call cppc_save_integer_8(13, i8_v)
      call cppc_save_logical_1(14, l1_v)
      call cppc_save_logical_2(15, l2_v)
      call cppc_save_logical_4(16, l4_v)
      call cppc_save_logical_8(17, l8_v)
      call cppc_save_real_4(18, r4_v)
      call cppc_save_real_8(19, r8_v)
      call cppc_save_complex_4(20, c4_v)
      call cppc_save_complex_8(21, c8_v)
      call cppc_name_array_integer_1(i1_a)
      call cppc_name_array_integer_2(i2_a)
      call cppc_name_array_integer_4(i4_a)
      call cppc_name_array_integer_8(i8_a)
      call cppc_name_array_logical_1(l1_a)
      call cppc_name_array_logical_2(l2_a)
      call cppc_name_array_logical_4(l4_a)
      call cppc_name_array_logical_8(l8_a)
      call cppc_name_array_real_4(r4_a)
      call cppc_name_array_real_8(r8_a)
      call cppc_name_array_complex_4(c4_a)
      call cppc_name_array_complex_8(c8_a)
      call cppc_save_character(5, word)
      call cppc_save_character(6, empty)
      call cppc_save_character(7, empty)
      call cppc_name_character(word)
      call cppc_name_array_character(words)
    if (cppc_do_checkpoint(4) /= 0) then
      call cppc_take_integer_4(4, kept)
      call cppc_take_integer_1(10, i1_v)
      call cppc_take_integer_2(11, i2_v)
      call cppc_take_integer_4(12, i4_v)
      call cppc_take_integer_8(13, i8_v)
      call cppc_take_logical_1(14, l1_v)
      call cppc_take_logical_2(15, l2_v)
      call cppc_take_logical_4(16, l4_v)
      call cppc_take_logical_8(17, l8_v)
      call cppc_take_real_4(18, r4_v)
      call cppc_take_real_8(19, r8_v)
      call cppc_take_complex_4(20, c4_v)
      call cppc_take_complex_8(21, c8_v)
      call cppc_name_array_integer_1(i1_a)
      call cppc_name_array_integer_2(i2_a)
      call cppc_name_array_integer_4(i4_a)
      call cppc_name_array_integer_8(i8_a)
      call cppc_name_array_logical_1(l1_a)
      call cppc_name_array_logical_2(l2_a)
      call cppc_name_array_logical_4(l4_a)
      call cppc_name_array_logical_8(l8_a)
      call cppc_name_array_real_4(r4_a)
      call cppc_name_array_real_8(r8_a)
      call cppc_name_array_complex_4(c4_a)
      call cppc_name_array_complex_8(c8_a)
      call cppc_take_character(5, word)
      call cppc_take_character(6, empty)
      call cppc_take_character(7, empty)
      call cppc_name_array_character(words)
    else
      call die
    end if
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
  end do
  print *, i1_v, i1_a
  print *, i2_v, i2_a
  print *, i4_v, i4_a
  print *, i8_v, i8_a
  print *, l1_v, l1_a
  print *, l2_v, l2_a
  print *, l4_v, l4_a
  print *, l8_v, l8_a
  print *, r4_v, r4_a
  print *, r8_v, r8_a
  print *, c4_v, c4_a
  print *, c8_v, c8_a
  print *, word, words, kept, len(empty)
90009 call cppc_shutdown
  call cppc_leave
end program
