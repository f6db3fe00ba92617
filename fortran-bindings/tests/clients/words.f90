! The rest of the command line, and the settings that the runtime received.
program words
  implicit none
  character(len=400) :: word
  integer :: i, cppc_next
  include 'cppcf.h'
  call cppc_arguments
  cppc_next = cppc_enter('words', 2)
  do i = 1, command_argument_count()
    call get_command_argument(i, word)
    print '(a)', trim(word)
  end do
  call cppc_init
  cppc_next = cppc_jump_next()
  do i = 1, 3
    if (cppc_do_checkpoint(2) /= 0) continue
    cppc_next = cppc_jump_next()
  end do
  call cppc_shutdown
  call cppc_leave
end program
