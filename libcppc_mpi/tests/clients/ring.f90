! Four processes that hand numbers round a ring, with a checkpoint in each turn. KILL_AT=k and KILL_RANK=r: that
! process ends itself with SIGKILL after its k-th checkpoint.
program ring
  use mpi
  implicit none
  integer, parameter :: n = 500
  real(8) :: u(n), edge
  integer :: step, rank, processes, error, status(mpi_status_size)
  integer :: cppc_next, cppc_first, cppc_last
  include 'cppcf.h'
  call cppc_arguments
  cppc_next = cppc_enter('ring', 4)
90000 if (cppc_next /= 0) go to (90001, 90002, 90003, 90003, 90009), cppc_next
  call mpi_init(error)
90001 call cppc_init
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
90002 if (cppc_execute(2) /= 0) continue
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, processes, error)
  cppc_next = cppc_jump_next()
  if (cppc_next /= 0) go to 90000
  u = rank
90003 continue
  if (cppc_next == 0 .or. cppc_next == 3) then
    call cppc_block(3)
    call cppc_register_array_real_8(0, u, size(u, kind=8), 'u', cppc_automatic)
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
  end if
  if (cppc_next == 0) then
    cppc_first = 1
    cppc_last = 8
  end if
  call cppc_loop_integer_4(1, cppc_first, cppc_last, 1)
  do step = cppc_first, cppc_last
    if (cppc_next /= 0) go to (90004), cppc_next - 3
    call mpi_sendrecv(u(n), 1, mpi_double_precision, mod(rank + 1, processes), 1, edge, 1, mpi_double_precision, &
      mod(rank + processes - 1, processes), 1, mpi_comm_world, status, error)
    u(2:) = 0.5_8*(u(2:) + u(:n - 1)) + step
    u(1) = edge
90004 call cppc_save_integer_4(1, step)
    call cppc_name_array_real_8(u)
    if (cppc_do_checkpoint(4) /= 0) then
      call cppc_name_array_real_8(u)
    else
      call die
    end if
    cppc_next = cppc_jump_next()
    if (cppc_next /= 0) go to 90000
  end do
  edge = sum(u)
  call mpi_reduce(edge, u(1), 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, error)
  if (rank == 0) print '(f24.12, i4)', u(1), processes
90009 call cppc_shutdown
  call cppc_leave
  call mpi_finalize(error)
contains
  subroutine die
    use, intrinsic :: iso_c_binding, only: c_int
    interface
      integer(c_int) function raise(signal) bind(c)
        import :: c_int
        integer(c_int), value :: signal
      end function
    end interface
    if (number('KILL_AT') == step .and. number('KILL_RANK') == rank) error = raise(9_c_int)
  end subroutine
  integer function number(name)
    character(len=*), intent(in) :: name
    character(len=12) :: text
    integer :: length, missing
    number = -1
    call get_environment_variable(name, text, length, missing)
    if (missing == 0 .and. length > 0) read (text, *) number
  end function
end program
