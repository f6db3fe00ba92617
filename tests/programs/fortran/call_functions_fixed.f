c Exercises: functions of FORTRAN 77: of every type, with the name as a variable, declared by type
c statements, by prefix and by implicit rules; statement functions beside them; nested calls; calls
c in arithmetic and logical IFs, in assigned values of COMMON and in computed GOTOs.
      program func
      integer i, n, nextn
      double precision d, dfun
      logical even, b
      complex c, cfun
      character*6 s, sfun
      common /n/ n
      real r, sq, q
      sq(q) = q * q + r
      n = 0
      d = 1
      c = (1., 0.)
      s = 'abcdef'
      r = 0.5
      b = .false.
c$cppc init
c$cppc register(n, d, c, s, r, b)
      do 100 i = 1, 4
        d = dfun(d, nextn()) + dfun(d, 2)
        if (even(nextn())) d = d + 1
        b = even(n) .or. b .and. .not. even(n + 1)
        c = cfun(c) * cfun((0., 1.))
        s = sfun(s) // 'x'
        r = rfun(r)
        r = sq(r) / 4
        if (nextn() - 10) 10, 20, 30
   10   d = d * 0.5d0
        goto (20, 30), nextn()
   20   d = d + 0.25d0
   30   r = r - rfun(-r)
        print 90, i, n, b, s, d, c, r
   90   format (2i4, l2, 1x, a, 1x, z16.16, 3z9.8)
  100 continue
c$cppc shutdown
      end

      function nextn()
      common /n/ n
      n = n + 1
c$cppc checkpoint
      nextn = n
      return
      end

      double precision function dfun(x, k)
      double precision x
      dfun = x
c$cppc register(dfun, i)
      do 10 i = 1, k
        if (i .gt. 3) return
        dfun = dfun * 0.5d0
c$cppc checkpoint
   10   dfun = dfun + i
      return
      end

      logical function even(k)
      even = mod(k, 2) .eq. 0
c$cppc register(even)
c$cppc checkpoint
      end

      complex function cfun(z)
      complex z
c$cppc checkpoint
      cfun = z * (0., 1.) + 1.
      end

      character*(*) function sfun(text)
      character*(*) text
      sfun = text(2:) // text
c$cppc register(sfun)
c$cppc checkpoint
      sfun(1:1) = '-'
      end

      function rfun(x)
c$cppc checkpoint
      rfun = x * 0.5
      end
