c Exercises: loops of FORTRAN 77 around checkpoints: nests that share one label, loops that end in
c an executable statement, negative and other steps, loops that are never entered, a label in
c front of a loop that is gone to.
      program loops
      integer i, j, k, n, a(60)
      n = 0
      do 5 i = 1, 60
    5   a(i) = 0
c$cppc init
c$cppc register(a, n)
      do 20 i = 1, 3
      do 20 j = 5, 1, -2
        n = n + 1
c$cppc checkpoint
      do 20 k = i, j
   20 a(n) = a(n) + 100 * i + 10 * j + k
      print '(10i6)', a
      do 40 i = 10, 1, -3
        do 30 j = i, 3
c$cppc checkpoint
   30     a(j + i) = a(j) + i
c$cppc checkpoint
   40 print '(3i6)', i, a(i), a(i + 3)
      i = 0
   50 do 60 j = 1, 7, 3
        i = i + 1
c$cppc register(i)
c$cppc checkpoint
        a(i) = j * i
        if (i .eq. 4) goto 50
        if (i .eq. 8) goto 70
   60 continue
   70 print '(2i4, 10i6)', i, j, (a(k), k = 1, 10)
      do 90, k = 1, 2
      do 80 j = 1, 0
c$cppc checkpoint
   80   print *, 'never'
      do 90 j = -1, 1
      if (j .eq. 0) goto 90
c$cppc checkpoint
      a(j + 2) = k - j
   90 continue
      print '(2i4, 3i6)', k, j, a(1), a(2), a(3)
c$cppc shutdown
      end
