c A file that is nowhere.
      program missing
      include 'nowhere.inc'
c             ~~~~~~~~~~~~~ warning[C0601] the file `nowhere.inc` is not found
c$cppc init
      end
