c Exercises: several returns, alternate returns, RETURN with an expression, STOP in the middle of a
c procedure, and END alone, in procedures on the way to a checkpoint.
      program rets
      integer i, n
      n = 0
c$cppc init
c$cppc register(n, i)
      do 40 i = 1, 6
        call choose(i, n, *10, *20)
        n = n + 1
        goto 30
   10   n = n + 10
        call early(n)
        goto 30
   20   n = n + 100
   30   print '(2i6)', i, n
   40 continue
      if (n .gt. 0) call finish(n)
      print *, 'not reached'
      end

      subroutine choose(k, n, *, *)
      integer k, n, w
      w = mod(k, 3)
c$cppc register(w)
c$cppc checkpoint
      n = n + w
      if (w .eq. 1) return 1
      if (w .eq. 2) then
c$cppc checkpoint
        n = n - 1
        return w
      end if
      return
      end

      subroutine early(n)
      integer n
      if (n .gt. 100) return
c$cppc checkpoint
      if (n .gt. 20) then
        n = n - 5
        return
      end if
      n = n + 3
c$cppc checkpoint
      end

      subroutine finish(n)
      integer n
c$cppc checkpoint
      print '(a, i6)', 'stop', n
c$cppc shutdown
      stop
      end
