c     A variable that an ASSIGN statement sets contains the address of a label.
      program labels
      integer next, total, i
c$cppc init
c$cppc register(next, total)
c               ~~~~ error[C0422] `next` contains the address of a label
      assign 10 to next
      total = 0
      do 30 i = 1, 6
        if (i .eq. 3) assign 20 to next
c$cppc checkpoint
        go to next, (10, 20)
   10   total = total + i
        go to 30
   20   total = total + 10 * i
   30 continue
      print *, total
c$cppc shutdown
      end
