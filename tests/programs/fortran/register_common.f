c Exercises: COMMON blocks with members of mixed sizes, which compilers pad, blank COMMON, one block
c under other names elsewhere, and BLOCK DATA.
      program commons
      integer*2 short
      character*3 tag
      double precision d
      logical ok
      complex z
      common /mixed/ d, z, short, ok, tag
      integer n(4), m
      common n, m
      real x, y(3)
      common /init/ x, y
      integer i
      d = 1
      z = (1., 2.)
      short = 3
      ok = .false.
      tag = 'abc'
      m = 0
c$cppc init
c$cppc register(d, short, z, tag, ok, i)
c$cppc register(n, m, x, y)
      do 10 i = 1, 6
c$cppc checkpoint
        call change(i)
        d = d + x * y(2)
        write (*, 20) i, d, z, short, ok, tag, n, m, x, y
   10 continue
   20 format (i2, 1x, z16.16, 2(1x, z8.8), i6, l2, 1x, a, 5i6, 4f10.4)
c$cppc shutdown
      end

      subroutine change(i)
      integer i, all(5)
      common all
      real xy(4)
      common /init/ xy
      double precision d
      complex z
      integer*2 short
      logical ok
      character*3 tag
      common /mixed/ d, z, short, ok, tag
      all(mod(i, 4) + 1) = all(5) + i
      all(5) = all(5) + 2
      xy(1) = xy(1) * 0.5
      xy(3) = xy(3) + xy(1)
c$cppc checkpoint
      z = z * (0., 1.) + xy(4)
      short = short * 2
      ok = .not. ok
      tag = tag(2:3) // tag(1:1)
      end

      block data
      real x, y
      common /init/ x, y(3)
      data x, y /4.0, 1.0, 2.0, 3.0/
      end

      block data counts
      integer n(4)
      common /other/ n
      data n /4*1/
      end
