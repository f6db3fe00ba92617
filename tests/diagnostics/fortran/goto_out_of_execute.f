c Jumps that leave a block and one that enters it.
      program jumps
      integer i
      i = 0
c$cppc init
      if (i .gt. 3) goto 20
c                        ~~ error[C0417] a jump into an `execute` block
c$cppc execute
      i = i + 1
      if (i .gt. 5) goto 30
c                        ~~ error[C0417] a jump out of an `execute` block
   20 i = i + 2
      if (i .gt. 9) return
c                   ~~~~~~ error[C0417] a jump out of an `execute` block
c$cppc end execute
   30 print *, i
      end
