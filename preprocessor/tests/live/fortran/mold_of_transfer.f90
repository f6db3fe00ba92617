! The mold of TRANSFER gives only the type. So its value is not read.
! reports: nothing
program mold_of_transfer
  implicit none
  integer :: step, values(2)
  character(8) :: text
  !$cppc init
  !$cppc register(values)
  values = [1, 2]
  do step = 1, 3
    !$cppc checkpoint
    values = values + step
    text = transfer(values, text)
    print *, step, ichar(text(1:1))
  end do
  !$cppc shutdown
end program mold_of_transfer
