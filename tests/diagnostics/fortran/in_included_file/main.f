c Directives of an included file could not be rewritten.
      program incl
      integer i
c$cppc init
      do 10 i = 1, 3
        include 'steps.inc'
   10 continue
      end
