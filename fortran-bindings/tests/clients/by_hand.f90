! Calls written by hand, with `module cppc`: variables of a module in place, of every rank that is tried, and a
! procedure below with saved values.
module sky
  implicit none
  integer :: step = 0
  real(8) :: u(6, 5), v(2, 3, 4), edge
  complex :: z(3)
  logical :: is_hot(2, 2)
  character(len=5) :: tags(2), tag
  integer(2) :: small(2, 2, 2, 2, 2, 2, 2)
end module

program by_hand
  use cppc
  use sky
  implicit none
  integer :: next
  call cppc_arguments()
  next = cppc_enter('by_hand', 4)
  call cppc_identify('by hand')
  if (cppc_init() /= cppc_success) error stop 'there is no service'
  next = cppc_jump_next()
  if (next == 0) then
    u = 1
    v = 2
    edge = 0.5
    z = (1.0, -1.0)
    is_hot = .false.
    tags = ['one  ', 'two  ']
    tag = 'begun'
    small = 3
  end if
  call cppc_block(2)
  call cppc_register(0, step, 'step', cppc_static)
  call cppc_register(0, edge, 'edge', cppc_static)
  call cppc_register(0, u, 'u', cppc_static)
  call cppc_register(0, v, 'v', cppc_static)
  call cppc_register(0, z, 'z', cppc_static)
  call cppc_register(0, is_hot, 'is_hot', cppc_static)
  call cppc_register(0, tags, 'tags', cppc_static)
  call cppc_register(0, tag, 'tag', cppc_static)
  call cppc_register(0, small, 'small', cppc_static)
  next = cppc_jump_next()
  do
    if (next == 0) then
      step = step + 1
      u(2:, :) = 0.5*(u(2:, :) + u(:5, :)) + edge*step
      v(:, 2, :) = v(:, 1, :) + sum(u)
      z = z*(0.5, 0.5) + step
      is_hot(mod(step, 2) + 1, :) = mod(step, 3) == 0
      tags(1) (mod(step, 5) + 1:) = achar(96 + step)
      tag = tags(1)
      small = small + int(step, 2)
    end if
    if (next == 0 .or. next == 3) then
      call all_named
      if (cppc_do_checkpoint(3) == 0) call die
      call all_named
      next = cppc_jump_next()
    end if
    if (cppc_call(4, 'refine') == 0) continue
    call all_named
    call refine(next)
    if (cppc_return(4) == 1) call all_named
    next = cppc_jump_next()
    if (step == 4) call cppc_unregister('tag')
    if (step == 6) exit
  end do
  print '(6f10.5)', u, v, edge
  print *, z, is_hot, tags, sum(small)
  if (cppc_shutdown() /= cppc_success) error stop 'there was no service'
  call cppc_leave()
contains
  subroutine all_named
    call cppc_name(u)
    call cppc_name(v)
    call cppc_name(z)
    call cppc_name(is_hot)
    call cppc_name(tags)
    call cppc_name(small)
    call cppc_name(edge)
  end subroutine

  ! Two rounds, each with a checkpoint, and a sum that is kept in a cell.
  subroutine refine(above)
    integer, intent(in) :: above
    integer :: next, round, first, last, one
    real(8) :: total
    next = cppc_enter('refine', 2)
    if (next == 0) total = above
    if (next <= 1) then
      call cppc_block(1)
      call cppc_register_value(0, 1, total, 'total', cppc_automatic)
      next = cppc_jump_next()
    end if
    first = 1
    last = 2
    one = 1
    call cppc_loop(2, first, last, one)
    do round = first, last, one
      if (next == 0) total = total + round*sum(u)
      call cppc_save(2, round)
      call cppc_save(1, total)
      if (cppc_do_checkpoint(2) == 0) then
        call die
      else
        call cppc_take(1, total)
      end if
      next = cppc_jump_next()
    end do
    edge = edge + 1.0e-3*total
    call cppc_leave()
  end subroutine
end program
