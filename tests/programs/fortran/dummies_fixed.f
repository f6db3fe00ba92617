c Exercises: adjustable and assumed-size dummies, dimensions from COMMON and from expressions of
c dummies, a part of an array passed from its middle, a scalar element passed to an array.
      program dums
      integer n, m, i, k
      parameter (n = 5, m = 4)
      double precision a(n, m), b(n * m)
      integer lda
      common /dims/ lda
      lda = n
      do 10 k = 1, n * m
        b(k) = k
        a(mod(k - 1, n) + 1, (k - 1) / n + 1) = k * 0.5d0
   10 continue
c$cppc init
c$cppc register(a, b)
      do 20 i = 1, 4
        call adjust(a, n, m, b, i)
        call assume(b(3), 6, a(2, 2))
        call fromco(a, m - 1)
        call one(a(1, 3), b(7))
        write (*, '(i2, 4(1x, z16.16))') i, a(1, 1), a(n, m), b(3), b(8)
   20 continue
c$cppc shutdown
      end

      subroutine adjust(a, n, m, v, turn)
      integer n, m, turn, i, j
      double precision a(n, m), v(n * m), w(8)
      do 5 i = 1, 8
    5   w(i) = turn * i
c$cppc register(w, j)
      do 20 j = 1, m
        do 10 i = 1, n
   10     a(i, j) = a(i, j) * 0.5d0 + v(i + (j - 1) * n) + w(j)
c$cppc checkpoint
        w(j) = w(j + 1) + a(1, j)
   20 continue
      end

      subroutine assume(x, n, y)
      integer n, k
      real*8 x(*), y(3, *)
      do 10 k = 1, n
        x(k) = x(k) + y(mod(k, 3) + 1, 1 + k / 4)
c$cppc checkpoint
   10   y(1, 2) = y(1, 2) + x(1)
      end

      subroutine fromco(a, cols)
      integer cols, lda, j
      common /dims/ lda
      real*8 a(lda, 0:cols), part
      part = 0
c$cppc register(part, j)
      do 10 j = 0, cols
        part = part + a(lda, j)
c$cppc checkpoint
   10 continue
      a(1, 0) = part
      end

      subroutine one(x, y)
      real*8 x, y, keep
      keep = x
c$cppc register(keep)
      x = y
c$cppc checkpoint
      y = keep
      end
