program p
  integer :: step
  step = 0
!$cppc init
!$cppc register(step)
!$cppc checkpoint
!$cppc shutdown
end program p
