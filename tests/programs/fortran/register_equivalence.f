c Exercises: EQUIVALENCE: an array and its parts, numbers of two types in one place, a member of
c COMMON under a second name; each is registered under one name or both.
      program equiv
      integer i, k
      real*8 a(10), head(3), last
      equivalence (a(1), head(1)), (a(10), last)
      real r(2)
      real*8 both
      integer bits(2)
      equivalence (r, bits)
      real*8 c(4), d(4)
      common /block/ c
      equivalence (c, d)
      real*8 x, y
      equivalence (x, y)
      both = 0
      do 10 k = 1, 10
   10   a(k) = k
      r(1) = 1.5
      r(2) = -2
      c(1) = 1
      c(2) = 2
      c(3) = 3
      d(4) = 4
      x = 0.25d0
c$cppc init
c$cppc register(i, a, bits, d, x, both)
c$cppc register(head, last)
      do 30 i = 1, 5
c$cppc checkpoint
        do 20 k = 2, 9
   20     a(k) = 0.5d0 * a(k) + 0.25d0 * a(k + 1)
        head(1) = head(1) + last
        last = head(3) - i
        r(1) = r(1) * 0.5 + i
        bits(2) = ieor(bits(2), i)
        d(mod(i, 4) + 1) = c(1) + y
        y = y * 3
        both = both + x
        print '(i2, 10f10.5)', i, a
        print '(2z9.8, 6(1x, z16.16))', bits, c, x, both
   30 continue
c$cppc shutdown
      end
