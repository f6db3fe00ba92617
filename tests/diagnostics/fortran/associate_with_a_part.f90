! Names for parts and expressions would have to be made again with the values that they were made with.
program parts
  implicit none
  integer :: i, a(4)
  a = 0
  !$cppc init
  !$cppc register(a)
  do i = 1, 4
    associate (one => a(i))
!   ~~~~~~~~~~~~~~~~~~~~~~~ error[C0513] a restart cannot enter this `associate`
      one = i
      !$cppc checkpoint
    end associate
  end do
  print *, a
end program parts
