c A procedure with a block that can be entered in two ways.
      program ent
c$cppc init
      call one(2)
      call two(3)
      end

      subroutine one(n)
      integer n, i
      do 10 i = 1, n
c$cppc checkpoint
   10 continue
      entry two(n)
c           ~~~ error[C0515] `one` leads to a checkpoint, and has a second entry
      print *, n
      end
