c Two structures of the old kind in one declaration, in a procedure that leads to a checkpoint.
      program two
      structure /point/
        real x
      end structure
      structure /line/
        real y
      end structure
      record /point/ p, /line/
c                       ~~~~~~ error[C0216] two structures in one declaration
c$cppc init
c$cppc checkpoint
      end
