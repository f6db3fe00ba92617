! Arrays whose memory moves: an allocatable that grows and is deallocated, one that the callee makes larger, one of
! a module, texts whose length changes, one that is never allocated.
module store
  implicit none
  integer, allocatable :: history(:)
contains
  subroutine remember(value)
    integer, intent(in) :: value
    if (.not. allocated(history)) allocate (history(0))
    history = [history, value]
  end subroutine
end module

program grow
  use store
  implicit none
  real(8), allocatable :: u(:, :)
  character(len=:), allocatable :: title
  complex, allocatable :: gone(:)
  integer :: step, i, n
  integer(8) :: cppc_lower(15), cppc_upper(15)
  integer :: cppc_next, cppc_first, cppc_last, cppc_state
  include 'cppcf.h'
  call cppc_arguments
  cppc_next = cppc_enter('grow', 4)
90000 if (cppc_next /= 0) go to (90001, 90002, 90003, 90003, 90009), cppc_next
  call cppc_identify('grow of clients')
  call cppc_init
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
90001 continue
  allocate (u(0:2, 2))
  u = 1
  title = 'step'
  if (allocated(gone)) error stop 'gone is there'
  n = 0
90002 continue
  call cppc_block(2)
  cppc_state = cppc_register_followed(0, cppc_real_8, 2, cppc_lower, cppc_upper, 'u', cppc_automatic)
  if (cppc_state /= 0 .and. allocated(u)) deallocate (u)
  if (cppc_state == 1) then
    allocate (u(cppc_lower(1):cppc_upper(1), cppc_lower(2):cppc_upper(2)))
    call cppc_deliver_real_8(u, 'u')
  end if
  call name_u
  cppc_state = cppc_register_followed(0, cppc_character, 0, cppc_lower, cppc_upper, 'title', cppc_automatic)
  if (cppc_state /= 0 .and. allocated(title)) deallocate (title)
  if (cppc_state == 1) then
    allocate (character(len=cppc_followed_length('title')) :: title)
    call cppc_deliver_first_character(title, 'title')
  end if
  call name_title
  cppc_state = cppc_register_followed(0, cppc_complex_4, 1, cppc_lower, cppc_upper, 'gone', cppc_automatic)
  if (cppc_state == 1) error stop 'gone was there'
  call cppc_follow_nothing('gone')
  cppc_state = cppc_register_followed(0, cppc_integer_4, 1, cppc_lower, cppc_upper, 'store%history', cppc_static)
  if (cppc_state /= 0 .and. allocated(history)) deallocate (history)
  if (cppc_state == 1) then
    allocate (history(cppc_lower(1):cppc_upper(1)))
    call cppc_deliver_integer_4(history, 'store%history')
  end if
  call name_history
  call cppc_register_value_integer_4(0, 8, n, 'n', cppc_automatic)
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
90003 continue
  if (cppc_next == 0) then
    cppc_first = 1
    cppc_last = 6
  end if
  call cppc_loop_integer_4(1, cppc_first, cppc_last, 1)
  do step = cppc_first, cppc_last
    if (cppc_next /= 0) go to (90004, 90005), cppc_next - 2
    call remember(step)
    if (mod(step, 3) == 0) then
      deallocate (u)
      allocate (u(-step:step, 2))
      u = step
    end if
    title = title//achar(96 + step)
    n = n + size(u)
90004 continue
    call cppc_save_integer_4(1, step)
    call cppc_save_integer_4(8, n)
    call name_all
    if (cppc_do_checkpoint(3) /= 0) then
      call cppc_take_integer_4(8, n)
      call name_all
    else
      call die
    end if
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
    if (step == 5) then
      deallocate (history)
    end if
90005 continue
    if (cppc_call(4, 'grow%widen') /= 0) continue
    call cppc_save_integer_4(1, step)
    call cppc_save_integer_4(8, n)
    call name_all
    call widen(u, step)
    if (cppc_return(4) /= 0) then
      call cppc_take_integer_4(8, n)
      call name_all
    end if
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
  end do
  print '(a, 3i6)', title, n, size(u), lbound(u, 1)
  print '(6f9.3)', (u(i, 1), i=lbound(u, 1), ubound(u, 1))
  print '(12i4)', history
90009 call cppc_shutdown
  call cppc_leave
contains
  subroutine name_all
    call name_u
    call name_title
    call cppc_follow_nothing('gone')
    call name_history
  end subroutine
  subroutine name_u
    if (allocated(u)) then
      call cppc_follow_real_8(u, 2, lbound(u, kind=8), ubound(u, kind=8), 'u')
    else
      call cppc_follow_nothing('u')
    end if
  end subroutine
  subroutine name_title
    if (allocated(title)) then
      call cppc_follow_first_character(title, 0, cppc_lower, cppc_upper, 'title')
    else
      call cppc_follow_nothing('title')
    end if
  end subroutine
  subroutine name_history
    if (allocated(history)) then
      call cppc_follow_integer_4(history, 1, lbound(history, kind=8), ubound(history, kind=8), 'store%history')
    else
      call cppc_follow_nothing('store%history')
    end if
  end subroutine

  ! The array of the caller, replaced by a larger one.
  subroutine widen(w, step)
    real(8), allocatable, intent(inout) :: w(:, :)
    integer, intent(in) :: step
    real(8), allocatable :: wider(:, :)
    integer(8) :: cppc_lower(15), cppc_upper(15)
    integer :: cppc_next, cppc_first, cppc_last, cppc_state, pass
    cppc_next = cppc_enter('grow%widen', 2)
90000 if (cppc_next /= 0) go to (90001, 90002, 90009), cppc_next
90001 call cppc_block(1)
    cppc_state = cppc_register_followed(0, cppc_real_8, 2, cppc_lower, cppc_upper, 'w', cppc_automatic + cppc_parameter)
    if (cppc_state == 1) error stop 'w is not that of the caller'
    call cppc_follow_real_8(w, 2, lbound(w, kind=8), ubound(w, kind=8), 'w')
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
90002 if (cppc_next == 0) then
      cppc_first = 1
      cppc_last = 2
    end if
    call cppc_loop_integer_4(1, cppc_first, cppc_last, 1)
    do pass = cppc_first, cppc_last
      if (cppc_next /= 0) go to (90003), cppc_next - 1
      allocate (wider(lbound(w, 1):ubound(w, 1) + 1, 2))
      wider = pass
      wider(:ubound(w, 1), :) = w + 0.125_8*step
      call move_alloc(wider, w)
90003 call cppc_save_integer_4(1, pass)
      call cppc_follow_real_8(w, 2, lbound(w, kind=8), ubound(w, kind=8), 'w')
      if (cppc_do_checkpoint(2) /= 0) then
        call cppc_follow_real_8(w, 2, lbound(w, kind=8), ubound(w, kind=8), 'w')
      else
        call die
      end if
      cppc_next = cppc_jump_next()
      if (cppc_next /= 0) go to 90000
    end do
90009 call cppc_leave
  end subroutine
end program
