! A call that leads to a checkpoint cannot be made again as a whole.
program within
  implicit none
  !$cppc init
  !$cppc execute
  call step()
! ~~~~~~~~~~~ error[C0504] call to instrumented `instrumented_call_in_execute.f90:within%step` inside an execute block
  !$cppc end execute
contains
  subroutine step()
    !$cppc checkpoint
  end subroutine step
end program within
