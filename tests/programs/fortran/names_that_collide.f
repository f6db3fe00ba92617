c Exercises: names and labels that generated code might have taken, in the program and in COMMON,
c labels close to 90000 and the highest of all.
      program names
      integer cppc_next, cppc, cppcnx, i
      integer cppc_argument_1, cppc_first_1, cppc_last_1
      logical cppc_true_1
      real*8 cppc_value_1
      common /cppc_shared/ cppc_value_1
      cppc_next = 1
      cppc = 2
      cppcnx = 3
      cppc_value_1 = 0.5d0
      cppc_argument_1 = 4
c$cppc init
c$cppc register(cppc_next, cppc, cppc_value_1, cppc_argument_1)
      cppc_last_1 = 5
      do 90001 cppc_first_1 = 1, cppc_last_1
c$cppc checkpoint
        cppc_true_1 = mod(cppc_first_1, 2) .eq. 0
        if (cppc_true_1) goto 90000
        cppc_next = cppc_next + cppc
90000   call cppc_step(cppc_first_1 + 1)
        if (cppc_next .gt. 5) call cppc_step(cppc_argument_1)
99999   cppc = cppc + 1
90001 write (*, 90002) cppc_first_1, cppc_next, cppc, cppc_value_1
90002 format (3i4, 1x, z16.16)
      do 90003 i = 90000, 90002
c$cppc checkpoint
90003   cppc = cppc + i
      print '(i8)', cppc
c$cppc shutdown
      end

      subroutine cppc_step(n)
      integer n, cppc_enter_count
      save cppc_enter_count
      real*8 cppc_value_1
      common /cppc_shared/ cppc_value_1
      data cppc_enter_count /0/
c$cppc register(cppc_enter_count)
      cppc_enter_count = cppc_enter_count + n
c$cppc checkpoint
      cppc_value_1 = cppc_value_1 * 0.5d0 + cppc_enter_count
      end
