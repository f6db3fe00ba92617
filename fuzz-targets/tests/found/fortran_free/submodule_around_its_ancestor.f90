submodule (stepping) smoothing
  module subroutine smooth(times)
module stepping
    a(:sizk(old)) = old
