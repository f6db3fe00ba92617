! Exercises: a register and a checkpoint in a BLOCK with declarations in a loop.
program b02
  implicit none
  integer :: it
  !$cppc init
  do it = 1, 4
      block
        integer :: b
        b = it*7
        !$cppc register(b)
        !$cppc checkpoint
        print *, b
      end block
    print *, it
  end do
  !$cppc shutdown
end program
