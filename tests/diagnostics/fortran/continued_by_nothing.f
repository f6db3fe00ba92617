c A continued directive that does not go on, and one that has not begun.
      program cont
      integer i
c$cppc init
      i = 1
c$cppc& register(i)
c     ~ error[C0607] this line continues no directive
c$cppc checkpoint
      print *, i
      end
