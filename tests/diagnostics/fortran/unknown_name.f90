! A name in `register` that the procedure does not have, though another has it.
program unknown
  implicit none
  integer :: i
  !$cppc init
  !$cppc register(i, temperature)
!                    ~~~~~~~~~~~ error[C0421] unknown name `temperature`
  do i = 1, 3
    !$cppc checkpoint
  end do
contains
  subroutine other()
    real :: temperature
    temperature = 1
  end subroutine other
end program unknown
