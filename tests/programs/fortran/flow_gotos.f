c Exercises: arithmetic IF, computed and assigned GOTO, loops made of GOTOs, jumps out of loops and
c IFs, with checkpoints at the targets and in between.
      program gotos
      integer i, n, where, k
      real x
      i = 0
      n = 10
      x = -2.5
      k = 0
c$cppc init
c$cppc register(i, n, x, k)
   10 i = i + 1
      if (i .gt. 9) go to 100
      if (x) 20, 30, 40
   20 continue
c$cppc checkpoint
      x = x + 1.25
      go to 50
   30 n = n + 100
c$cppc checkpoint
      x = 3
      goto 50
   40 x = x - 2
   50 go to (60, 70, 60, 80), mod(i, 5)
      n = n + 1
c$cppc checkpoint
      goto 90
   60 n = n * 2
      do 65 k = 1, 4
c$cppc checkpoint
        n = n - k
        if (mod(n, 3) .eq. 0) goto 90
   65 continue
      goto 90
   70 if (n .gt. 15) then
        n = n - 7
c$cppc checkpoint
        if (i .gt. 6) goto 80
      else
        n = n + 5
      end if
   80 assign 85 to where
      if (n .lt. 12) assign 86 to where
c     An assigned label is used up before the next checkpoint.
      goto where, (85, 86)
   85 n = n - 2
   86 n = n + 1
c$cppc checkpoint
   90 write (*, 95) i, n, k, x
   95 format (3i5, f8.3)
      go to 10
  100 print *, 'done'
c$cppc shutdown
      end
