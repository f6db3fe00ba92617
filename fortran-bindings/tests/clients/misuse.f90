! Mistakes of a program are reported, and no state is written from which it could not be resumed.
program misuse
  implicit none
  character(len=20) :: what
  integer :: i(4), state
  integer(8) :: lower(2), upper(2)
  include 'cppcf.h'
  call get_command_argument(1, what)
  if (cppc_enter('misuse', 2) /= 0) stop 1
  if (what == 'early') call cppc_register_integer_4(0, i(1), 'i', cppc_static)
  call cppc_init
  if (cppc_jump_next() /= 0) stop 2
  call cppc_block(1)
  select case (what)
  case ('section'); call cppc_not_contiguous('a(1, :)')
  case ('static'); call cppc_register_value_integer_4(0, 1, i(1), 'i', cppc_static)
  case ('slot'); call cppc_save_integer_4(70000, i(1))
  case ('shape')
    call cppc_register_value_integer_4(0, 1, i(1), 'i', cppc_automatic)
    call cppc_save_integer_8(1, 1_8)
  case ('type')
    state = cppc_register_followed(0, cppc_real_8, 1, lower, upper, 'u', cppc_automatic)
    lower(1) = 1
    upper(1) = 4
    call cppc_follow_integer_4(i, 1, lower, upper, 'u')
  case ('rank'); state = cppc_register_followed(0, cppc_real_8, 16, lower, upper, 'u', cppc_automatic)
  case ('field')
    call cppc_type('pair', 4_8)
    call cppc_field_integer_4(i(1), 2_8, 'both')
    call cppc_register_type(0, 2_8, 'pairs', cppc_static)
  case ('absent'); call optional_arguments(2)
  case ('none'); call cppc_register_type(0, 2_8, 'pairs', cppc_static)
  end select
  if (cppc_jump_next() /= 0) stop 3
  if (cppc_do_checkpoint(2) /= 0) stop 4
  call cppc_shutdown
  call cppc_leave
contains
  ! Nothing is wrong with these.
  subroutine optional_arguments(n, x, a, word)
    integer, intent(in) :: n
    integer(4), intent(inout), optional :: x, a(n)
    character(len=*), intent(inout), optional :: word
    call cppc_register_integer_4(0, x, 'x', cppc_automatic)
    call cppc_register_array_integer_4(0, a, 2_8, 'a', cppc_automatic)
    call cppc_register_value_integer_4(0, 1, x, 'x', cppc_automatic)
    call cppc_register_value_character(0, 2, word, 'word', cppc_automatic)
    call cppc_save_integer_4(1, x)
    call cppc_save_character(2, word)
    call cppc_take_integer_4(1, x)
    call cppc_capture_integer_4(x, 'x')
    call cppc_capture_array_integer_4(a, 2_8, 'a')
    call cppc_name_array_integer_4(a)
  end subroutine
end program
