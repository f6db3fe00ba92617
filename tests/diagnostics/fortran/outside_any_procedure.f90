! Between program units and in a module's specification nothing is executed.
!$cppc checkpoint
!      ~~~~~~~~~~ error[C0403] `checkpoint` is outside of all procedures
module state
  implicit none
  integer :: n = 0
  !$cppc register(n)
!        ~~~~~~~~~~~ error[C0403] `register` is outside of all procedures
end module state

program outside
  use state
  implicit none
  !$cppc init
  !$cppc checkpoint
  print *, n
end program outside
