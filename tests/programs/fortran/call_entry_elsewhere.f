c Exercises: a procedure with ENTRY points that has no block, called from ones that have, and one file
c with BLOCK DATA, NAMELIST, Hollerith constants and other things of old that are carried over.
      program entrys
      integer i
      real*8 x, y, total, getsum
      namelist /settings/ x, y
      common /level/ level
      integer level
      x = 1
      y = 2
      total = 0
c$cppc init
c$cppc register(x, y, total, level)
      do 10 i = 1, 5
        call setup(x, i)
c$cppc checkpoint
        call again(x)
        call onlyy(y)
        total = total + getsum(x, y) + level
        if (i .eq. 3) call settle(total)
        print 100, i, level, total, x, y
   10 continue
  100 format (1x, 4hstep, 2i4, 3(1x, z16.16))
      write (*, nml=settings, delim='none')
c$cppc shutdown
      end

      subroutine setup(a, n)
      real*8 a, b
      integer n
      common /level/ level
      integer level
      a = a + n
      return
      entry again(a)
      a = a * 0.5d0
      level = level + 1
      return
      entry onlyy(b)
      b = b * 1.5d0
      end

      double precision function f(a, b)
      real*8 a, b, getsum
      f = a
      return
      entry getsum(a, b)
      getsum = a + b
      end

      subroutine settle(x)
      real*8 x
      x = x * 0.5d0
c$cppc checkpoint
      end

      block data levels
      common /level/ level
      integer level
      data level /40/
      end
