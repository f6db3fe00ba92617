! compilers: gfortran
! A pointer component that was never set is registered. The components are made from memory with other content, so that the
! pointer is neither null nor associated.
program undefined_component
  use, intrinsic :: iso_c_binding
  implicit none
  type part
    integer :: n
    integer, pointer :: cells(:)
  end type part
  type(part), pointer :: parts(:)
  integer(c_signed_char), target, save :: bytes(4096) = -7
  integer :: i, step
  call c_f_pointer(c_loc(bytes), parts, [4])
  parts%n = 0
  allocate (parts(2)%cells(3))
  parts(2)%cells = 0
!$cppc init
  do i = 1, 2
!$cppc register(parts(i)%n, parts(i)%cells)
  end do
  do step = 1, 10
!$cppc checkpoint
    parts(2)%cells = parts(2)%cells + step
  end do
  print *, parts(2)%cells
!$cppc shutdown
end program undefined_component
