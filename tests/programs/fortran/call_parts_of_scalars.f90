! Exercises: substrings and parts of complex numbers as arguments that the procedure changes before its checkpoint.
! The scalars belong to the caller, which has registered them.
module parts
  implicit none
contains
  subroutine change(text, part, step)
    character(len=*), intent(inout) :: text
    real(8), intent(inout) :: part
    integer, intent(in) :: step
    text(2:3) = 'QR'
    part = part + step
!$cppc checkpoint
    text(1:1) = text(3:3)
    part = part * 2
  end subroutine change

  subroutine pass_on(text, step)
    character(len=*), intent(inout) :: text
    integer, intent(in) :: step
    real(8) :: local
    local = 0.5d0
!$cppc register(local)
    call change(text(2:), local, step)
    text(1:1) = achar(64 + int(local))
  end subroutine pass_on
end module parts

program call_parts_of_scalars
  use parts
  implicit none
  integer :: step
  character(len=8) :: text, name
  complex(8) :: z
  text = 'abcdefgh'
  name = 'ABCDEFGH'
  z = (1.0d0, 2.0d0)
!$cppc init
!$cppc register(text, name, z)
  do step = 1, 4
    call change(text(step:step + 3), z%re, step)
    call change(name, z%im, step)
    call pass_on(name(3:7), step)
    name(1:2) = text(step:step + 1)
    write (*, '(i0, 1x, a, 1x, a, 2f10.3)') step, text, name, z
  end do
!$cppc shutdown
end program call_parts_of_scalars
