! Built with default integers of 8 bytes: results and arguments of the runtime are the same. Also rare
! cases: a negative result, a name with blanks at its end, a callee without a name.
program wide
  implicit none
  integer :: step, sum_of_steps, state, bounds
  integer(8) :: lower(15), upper(15)
  integer :: cppc_next, cppc_first, cppc_last
  include 'cppcf.h'
  if (kind(step) /= 8) error stop 'this is for integers of 8 bytes'
  call cppc_arguments
  cppc_next = cppc_enter('wide', 4)
90000 if (cppc_next /= 0) go to (90001, 90002, 90003, 90003, 90009), cppc_next
90001 call cppc_init
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
  sum_of_steps = 0
90002 call cppc_block(2)
  call cppc_register_value_integer_8(0, 4, sum_of_steps, 'sum of steps   ', cppc_automatic)
  state = cppc_register_followed(0, cppc_real_4, 1, lower, upper, 'nothing', cppc_automatic)
  if (cppc_restarting() == 1 .neqv. state == -1) error stop 'the answer is not that of an array that is not there'
  call cppc_follow_nothing('nothing')
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
90003 if (cppc_next == 0) then
    cppc_first = 2
    cppc_last = -4
  end if
  call cppc_loop_integer_8(1, cppc_first, cppc_last, -2_8)
  do step = cppc_first, cppc_last, -2
    if (cppc_next /= 0) go to (90004, 90005), cppc_next - 2
    sum_of_steps = 10*sum_of_steps + step
90004 if (cppc_call(3, ' ') /= 0) bounds = step
    call cppc_capture_integer_8(bounds, 'bounds')
    call cppc_save_integer_8(1, step)
    call cppc_save_integer_8(4, sum_of_steps)
    call inner(bounds)
    if (cppc_return(3) /= 0) call cppc_take_integer_8(4, sum_of_steps)
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
90005 call cppc_save_integer_8(1, step)
    call cppc_save_integer_8(4, sum_of_steps)
    if (cppc_do_checkpoint(4) /= 0) then
      call cppc_take_integer_8(4, sum_of_steps)
    else
      call die
    end if
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
  end do
  print *, sum_of_steps, cppc_wants('sum of steps')
90009 call cppc_shutdown
  call cppc_leave
contains
  recursive subroutine inner(depth)
    integer, intent(in) :: depth
    integer :: cppc_next, below
    cppc_next = cppc_enter('wide%inner', 2)
90000 if (cppc_next /= 0) go to (90001, 90001, 90009), cppc_next
90001 if (depth <= 0) then
      call cppc_save_integer_8(1, below)
      if (cppc_do_checkpoint(1) == 0) call die
      cppc_next = cppc_jump_next()
      if (cppc_next /= 0) go to 90000
    else
      if (cppc_call(2, 'wide%inner') /= 0) below = depth - 1
      call cppc_capture_integer_8(below, 'below')
      call inner(below)
      if (cppc_return(2) /= 0) continue
      cppc_next = cppc_jump_next()
      if (cppc_next /= 0) go to 90000
    end if
90009 call cppc_leave
  end subroutine
end program
