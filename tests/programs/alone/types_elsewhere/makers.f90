submodule (shapes) makers
  use circles
  implicit none
contains
  module procedure make
    type(circle), allocatable :: made
    allocate (made)
    made%scale = 1.25d0
    made%name = 'a'
    made%sides = [1, 2, 3]
    allocate (made%count)
    made%count = 0
    call move_alloc(made, this%kept)
  end procedure make
end submodule makers
