c The service starts once.
      program twice
      i = 1
c$cppc init
      i = 2
c$cppc init
c      ~~~~ error[C0416] a second `init`
      print *, i
      end
