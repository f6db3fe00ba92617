c The end of a block that has not begun.
      program endex
c$cppc init
      i = 1
c$cppc end execute
c      ~~~~~~~~~~~ error[C0410] `end execute` without `execute`
      print *, i
      end
