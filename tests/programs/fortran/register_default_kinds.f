c Exercises: options that make the default kinds wider: integers, logicals and reals without a kind have
c eight bytes, and so have those that the translation adds.
c
c flags: -fdefault-integer-8 -fdefault-real-8
      program wider
      integer i, k, n(3), big
      integer*4 four
      real x, y(4)
      logical flag
      complex z
      common /all/ n, x
      big = 2 ** 30
      big = big * 2 ** 20
      four = 7
      x = 1.0
      flag = .false.
      z = (1.0, 2.0)
      do 10 k = 1, 4
   10   y(k) = k * 0.5
      n(1) = 1
      n(2) = 2
      n(3) = 3
c$cppc init
c$cppc register(i, big, four, n, x, y, flag, z)
      do 30 i = 1, 5
c$cppc checkpoint
        do 20 k = 1, 3
          n(k) = mod(n(k) * big + k, 1000003)
   20     call step(y, k, i)
        big = big + n(1)
        four = four * 3
        x = x * 0.5 + y(2)
        flag = .not. flag
        z = z * (0.0, 1.0) + x
        if (flag) call step(y, 4, -i)
        print '(i2, 4i20, i8, l2)', i, n, big, four, flag
        print '(7(1x, z16.16))', x, y, z
   30 continue
c$cppc shutdown
      end

      subroutine step(y, k, by)
      integer k, by
      real y(4), old
      old = y(k)
c$cppc register(old)
      y(k) = y(k) + by
c$cppc checkpoint
      y(k) = y(k) * 0.5 + old
      end
