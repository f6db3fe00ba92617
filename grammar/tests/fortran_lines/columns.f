c flags: -ffixed-line-length-132 -Itests/fortran_lines/include
      x = 1                                                             + 2
      c = 'ab
     &cd'
      i n c l u d e 'fixed.inc' ! blanks mean nothing
      include 'fixed.inc' + 1
c     a continuation with a label, and one of nothing but a mark
   10 y = 1
   20& + 2
     &
     1
      end
