c Exercises: a part of an array from its first element, whose size is a constant, a variable and an
c expression; the rest is made anew before it is used.
      program part
      integer n, m, i, j, k
      real*8 a(100), b(10, 10), c(0:9, -2:2)
      integer work(50)
      n = 8
      m = 3
      do 10 k = 1, 100
   10   a(k) = k * 0.5d0
      do 20 j = 1, 10
      do 20 i = 1, 10
   20   b(i, j) = i + j * 16
      do 25 j = -2, 2
      do 25 i = 0, 9
   25   c(i, j) = i - j
c$cppc init
c$cppc register(a(n), b(10, m), c(9, 2), work(4), k)
      do 30 k = 1, 4
        work(k) = k * k
   30 continue
      do 60 k = 1, 5
c$cppc checkpoint
        do 40 i = 1, n
   40     a(i) = a(i) * 0.5d0 + b(i, m)
        do 50 j = 1, m
          do 50 i = 1, 10
   50       b(i, j) = b(i, j) - c(i - 1, j - 3 + j / 3)
        c(mod(k, 10), -2) = a(1)
        work(mod(k, 4) + 1) = work(1) + k
        print '(i2, 4i6, 3(1x, z16.16))', k, (work(i), i = 1, 4),
     &    a(n), b(10, m), c(k, -2)
   60 continue
c$cppc shutdown
      end
