! Only a submodule uses the module of the dynamic type. With `-fcoarray=single`, the compiler adds words to the types.
!
! order: shapes.f90 circles.f90 makers.f90 main.f90
! flags: -fcoarray=single
! compilers: gfortran
program main
  use shapes
  implicit none
  type(holder) :: held
  integer :: i
  !$cppc init
  call make(held)
  !$cppc register(held, i)
  do i = 1, 6
    !$cppc checkpoint
    call held%kept%grow()
    print *, i, held%kept%name, held%kept%count, held%kept%sides
  end do
  !$cppc shutdown
end program main
