c A file that is nowhere.
      program missing
      include 'nowhere.inc'
c             ~~~~~~~~~~~~~ warning[C0601] 'is not found'
c$cppc init
      end
