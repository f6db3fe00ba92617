! Arrays of derived types: one in place, one that is allocated in the restart; components of several kinds, also a
! text as the first. Shared memory: a pointer into an array, and one to the whole array.
program derived
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_f_pointer
  implicit none
  type :: cell
    sequence
    real(8) :: t(3)
    integer :: kind
    logical :: hot
    character(len=4) :: tag
    complex :: z
  end type
  type :: label
    character(len=6) :: text
    integer(8) :: number
  end type
  type(cell), save, target :: grid(2, 3)
  type(label), allocatable :: labels(:)
  real(8), allocatable, target :: u(:)
  real(8), pointer :: middle(:), shape_of_it(:)
  integer :: step, i
  integer(8), external :: cppc_place
  integer(8) :: cppc_lower(15), cppc_upper(15)
  integer :: cppc_next, cppc_first, cppc_last, cppc_state
  include 'cppcf.h'
  call cppc_arguments
  cppc_next = cppc_enter('derived', 3)
90000 if (cppc_next /= 0) go to (90001, 90002, 90003, 90009), cppc_next
90001 call cppc_init
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
  do i = 1, 6
    grid(mod(i, 2) + 1, (i + 1)/2) = cell([i + 0.5_8, 0.0_8, 1.0_8], i, .false., 'cold', (1.0, 2.0))
  end do
  allocate (labels(0))
  allocate (u(10))
  u = 1
  middle => u(4:6)
90002 call cppc_block(2)
  call cppc_type('cell', storage_size(grid, kind=8)/8)
  call cppc_field_real_8(grid(1, 1)%t(1), 3_8, 't')
  call cppc_field_integer_4(grid(1, 1)%kind, 1_8, 'kind')
  call cppc_field_logical_4(grid(1, 1)%hot, 1_8, 'hot')
  call cppc_field_character(grid(1, 1)%tag, 1_8, 'tag')
  call cppc_field_complex_4(grid(1, 1)%z, 1_8, 'z')
  call cppc_register_type(0, size(grid, kind=8), 'grid', cppc_static)
  ! Of an array that has no elements yet: by one that has.
  block
    type(label) :: one(1)
    call cppc_type('label', storage_size(one, kind=8)/8)
    call cppc_field_character(one(1)%text, 1_8, 'text')
    call cppc_field_integer_8(one(1)%number, 1_8, 'number')
    cppc_state = cppc_register_followed(0, cppc_type_code(), 1, cppc_lower, cppc_upper, 'labels', cppc_automatic)
  end block
  if (cppc_state /= 0 .and. allocated(labels)) deallocate (labels)
  if (cppc_state == 1) then
    allocate (labels(cppc_lower(1):cppc_upper(1)))
    if (size(labels) > 0) call cppc_deliver_first_character(labels(lbound(labels, 1))%text, 'labels')
  end if
  call name_labels
  cppc_state = cppc_register_followed(0, cppc_real_8, 1, cppc_lower, cppc_upper, 'u', cppc_automatic)
  if (cppc_state /= 0 .and. allocated(u)) deallocate (u)
  if (cppc_state == 1) then
    allocate (u(cppc_lower(1):cppc_upper(1)))
    call cppc_deliver_real_8(u, 'u')
  end if
  call cppc_follow_real_8(u, 1, lbound(u, kind=8), ubound(u, kind=8), 'u')
  cppc_state = cppc_register_followed(0, cppc_real_8, 1, cppc_lower, cppc_upper, 'middle', cppc_automatic)
  if (cppc_state == 1) then
    allocate (middle(cppc_lower(1):cppc_upper(1)))
    call cppc_deliver_real_8(middle, 'middle')
  else if (cppc_state == 2) then
    call c_f_pointer(transfer(cppc_place('middle'), c_null_ptr), shape_of_it, [cppc_upper(1) - cppc_lower(1) + 1])
    middle(cppc_lower(1):) => shape_of_it
  end if
  call cppc_follow_real_8(middle, 1, lbound(middle, kind=8), ubound(middle, kind=8), 'middle')
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
90003 if (cppc_next == 0) then
    cppc_first = 1
    cppc_last = 6
  end if
  call cppc_loop_integer_4(1, cppc_first, cppc_last, 1)
  do step = cppc_first, cppc_last
    if (cppc_next /= 0) go to (90004), cppc_next - 2
    if (step > 1) labels = [labels, label('at '//achar(96 + step), step)]
    if (step == 4) then
      allocate (middle(-1:1))
      middle = 7
    else if (step == 6) then
      middle => u
    end if
    middle = middle*2 + step
    u(5) = u(5) + 1
    grid(:, 2)%t(2) = grid(:, 2)%t(2) + middle(lbound(middle, 1))
    grid(1, :)%hot = mod(step, 2) == 0
    grid(2, 3)%tag = 'st'//achar(96 + step)
90004 call cppc_save_integer_4(1, step)
    call name_all
    if (cppc_do_checkpoint(3) /= 0) then
      call name_all
    else
      call die
    end if
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
  end do
  middle(1) = -1
  print '(6(3f9.3, i4, l2, 1x, a, 2f5.1, /))', grid
  print '(a, i4)', labels
  print '(10f8.2)', u, middle
90009 call cppc_shutdown
  call cppc_leave
contains
  subroutine name_all
    call name_labels
    call cppc_follow_real_8(u, 1, lbound(u, kind=8), ubound(u, kind=8), 'u')
    call cppc_follow_real_8(middle, 1, lbound(middle, kind=8), ubound(middle, kind=8), 'middle')
  end subroutine
  subroutine name_labels
    cppc_lower(1) = lbound(labels, 1)
    cppc_upper(1) = ubound(labels, 1)
    if (size(labels) > 0) then
      call cppc_follow_first_character(labels(lbound(labels, 1))%text, 1, cppc_lower, cppc_upper, 'labels')
    else
      call cppc_follow_empty(1, cppc_lower, cppc_upper, 'labels')
    end if
  end subroutine
end program
