! Kinds that not every compiler has.
program long_kinds
  implicit none
  integer(16) :: i16_v, i16_a(3, 2)
  real(10) :: r10_v, r10_a(3, 2)
  real(16) :: r16_v, r16_a(3, 2)
  complex(10) :: c10_v, c10_a(3, 2)
  complex(16) :: c16_v, c16_a(3, 2)
  logical(16) :: l16_v, l16_a(3, 2)
  integer :: step, cppc_next, cppc_first, cppc_last, kept
  include 'cppcf.h'
  call cppc_arguments
  cppc_next = cppc_enter('long_kinds', 4)
90000 if (cppc_next /= 0) go to (90001, 90002, 90003, 90003, 90009), cppc_next
90001 call cppc_init
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
  i16_v = 1_16
  i16_a = 1_16
  r10_v = 0.1_10
  r10_a = 0.1_10
  r16_v = 0.1_16
  r16_a = 0.1_16
  c10_v = (0.1_10, 1)
  c10_a = (0.1_10, 1)
  c16_v = (0.1_16, 1)
  c16_a = (0.1_16, 1)
  l16_v = .false.
  l16_a = .false.
90002 call cppc_block(2)
  call cppc_register_value_integer_16(0, 10, i16_v, 'i16_v', cppc_automatic)
  call cppc_register_array_integer_16(0, i16_a, size(i16_a, kind=8), 'i16_a', cppc_automatic)
  call cppc_register_value_real_10(0, 11, r10_v, 'r10_v', cppc_automatic)
  call cppc_register_array_real_10(0, r10_a, size(r10_a, kind=8), 'r10_a', cppc_automatic)
  call cppc_register_value_real_16(0, 12, r16_v, 'r16_v', cppc_automatic)
  call cppc_register_array_real_16(0, r16_a, size(r16_a, kind=8), 'r16_a', cppc_automatic)
  call cppc_register_value_complex_10(0, 13, c10_v, 'c10_v', cppc_automatic)
  call cppc_register_array_complex_10(0, c10_a, size(c10_a, kind=8), 'c10_a', cppc_automatic)
  call cppc_register_value_complex_16(0, 14, c16_v, 'c16_v', cppc_automatic)
  call cppc_register_array_complex_16(0, c16_a, size(c16_a, kind=8), 'c16_a', cppc_automatic)
  call cppc_register_value_logical_16(0, 15, l16_v, 'l16_v', cppc_automatic)
  call cppc_register_array_logical_16(0, l16_a, size(l16_a, kind=8), 'l16_a', cppc_automatic)
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
    if (step == 4) call cppc_unregister('i16_v')
    i16_v = mod(i16_v * 3_16 + int(step, 16), 40_16)
    i16_a = mod(i16_a + i16_v, 100_16)
    r10_v = r10_v * 1.25_10 + step
    r10_a = r10_a + r10_v
    r16_v = r16_v * 1.25_16 + step
    r16_a = r16_a + r16_v
    c10_v = c10_v * (0.5_10, 0.25_10) + step
    c10_a = c10_a + c10_v
    c16_v = c16_v * (0.5_16, 0.25_16) + step
    c16_a = c16_a + c16_v
    l16_v = .not. l16_v .or. mod(step, 3) == 0
    l16_a(:, 1) = l16_v
    l16_a(:, 2) = .not. l16_a(3:1:-1, 1)
90004 if (cppc_execute(3) /= 0) continue
      call cppc_capture_integer_16(i16_v, 'v')
      kept = kept + 1
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
90005 continue
      call cppc_save_integer_4(1, step)
      call cppc_save_integer_4(4, kept)
      call cppc_save_integer_16(10, i16_v)
      call cppc_save_real_10(11, r10_v)
      call cppc_save_real_16(12, r16_v)
      call cppc_save_complex_10(13, c10_v)
      call cppc_save_complex_16(14, c16_v)
      call cppc_save_logical_16(15, l16_v)
      call cppc_name_array_integer_16(i16_a)
      call cppc_name_array_real_10(r10_a)
      call cppc_name_array_real_16(r16_a)
      call cppc_name_array_complex_10(c10_a)
      call cppc_name_array_complex_16(c16_a)
      call cppc_name_array_logical_16(l16_a)
    if (cppc_do_checkpoint(4) /= 0) then
      call cppc_take_integer_4(4, kept)
      call cppc_take_integer_16(10, i16_v)
      call cppc_take_real_10(11, r10_v)
      call cppc_take_real_16(12, r16_v)
      call cppc_take_complex_10(13, c10_v)
      call cppc_take_complex_16(14, c16_v)
      call cppc_take_logical_16(15, l16_v)
      call cppc_name_array_integer_16(i16_a)
      call cppc_name_array_real_10(r10_a)
      call cppc_name_array_real_16(r16_a)
      call cppc_name_array_complex_10(c10_a)
      call cppc_name_array_complex_16(c16_a)
      call cppc_name_array_logical_16(l16_a)
    else
      call die
    end if
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
  end do
  print *, i16_v, i16_a
  print *, r10_v, r10_a
  print *, r16_v, r16_a
  print *, c10_v, c10_a
  print *, c16_v, c16_a
  print *, l16_v, l16_a
  print *, kept
90009 call cppc_shutdown
  call cppc_leave
end program
