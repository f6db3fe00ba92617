c Exercises: variables that live on between calls: SAVE for one, for all and by DATA, in procedures
c that hold a checkpoint and in one that does not; two of them have variables of one name.
      program saved
      integer i, tally, next, n
      real*8 mean, m
      m = 0
      n = 0
c$cppc init
c$cppc register(m, n)
      do 10 i = 1, 7
        m = mean(i * 0.5d0)
        n = tally(i)
        print '(a, i2, 1x, z16.16, 2i6)', 'saved', i, m, n, next()
   10 continue
c$cppc shutdown
      end

      double precision function mean(x)
      double precision x, sum
      integer n
      save sum, n
      data sum, n /0.0d0, 0/
c$cppc register(sum, n)
      n = n + 1
      sum = sum + x * n
c$cppc checkpoint
      mean = sum / 2**mod(n, 5)
      end

      integer function tally(i)
      integer i, n, last(3)
      save
      data n /100/
      data last /3*0/
c$cppc register(n, last)
      last(mod(i, 3) + 1) = n
c$cppc checkpoint
      n = n + last(1) - i
      tally = n
      end

      integer function next()
      integer seed, j
      save seed, j
      data j /1/
      data seed /17/
      next = mod(17 + 5 * j, 64)
      end
