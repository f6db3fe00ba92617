c Exercises: constants and expressions passed for dummies that the callee registers: they must not be
c written to, and a callee that counts down its dummy counts down a copy of the caller's expression.
      program litera
      integer i, k
      double precision x, power
      x = 1
      k = 5
c$cppc init
c$cppc register(x, k, i)
      do 10 i = 1, 4
        call grow(x, 3, 0.5d0)
        call grow(x, i + 1, (x))
        call grow(x, 2, 1.d0 / 4)
        x = x + power(2.d0, 3)
        call names('text', 4, .true.)
        print '(2i3, 1x, z16.16)', i, k, x
   10 continue
c$cppc shutdown
      end

      subroutine grow(x, n, by)
      integer n, k
      double precision x, by, start
      start = x
c$cppc register(x, n, by, k, start)
      do 10 k = 1, n
        x = x * 0.5d0 + by
c$cppc checkpoint
   10 continue
      x = x + start * 0.125d0
      end

      double precision function power(base, n)
      double precision base
      integer n, k
      power = 1
c$cppc register(base, n, power)
      do 10 k = 1, n
        power = power * base
c$cppc checkpoint
   10 continue
      end

      subroutine names(word, n, loud)
      character*(*) word
      integer n
      logical loud
c$cppc register(word, n, loud)
c$cppc checkpoint
      if (loud) print '(a, i3)', word(1:n), len(word)
      end
