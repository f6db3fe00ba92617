c Exercises: calls that lead to a checkpoint as the statement of a logical IF, as the last statement of a
c loop, with a label of their own, and both.
      program logif
      integer i, j, n
      real*8 x, y
      x = 1
      y = 2
      n = 0
c$cppc init
c$cppc register(x, y, n, j)
      do 10 i = 1, 4
        if (mod(i, 2) .eq. 0) call step(x, i)
        if (x .gt. 2) x = x - step2(y)
   10 call step(y, -i)
      print '(2(1x, z16.16))', x, y
      do 20 i = 1, 3
      do 20 j = 1, 2
   20 if (i .ne. j) call step(x, i * j)
      print '(2(1x, z16.16))', x, y
   30 call step(y, n)
      n = n + 1
      if (n .lt. 3) goto 30
      if (n .eq. 3 .and. step2(x) .gt. 0) goto 40
      call step(x, 1000)
   40 if (n .eq. 3) if1 = 5
      do 50 j = 1, 3
   50 y = y + step2(x)
      print '(2(1x, z16.16))', x, y
c$cppc shutdown
      end

      subroutine step(z, by)
      integer by
      real*8 z
      z = z * 0.5d0
c$cppc checkpoint
      z = z + by
      end

      real function step2(z)
      real*8 z
      z = z + 0.5d0
c$cppc checkpoint
      step2 = z
      end
