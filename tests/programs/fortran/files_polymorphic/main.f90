! A register is in a module that does not see all dynamic types of the variable. The main program sees them.
!
! order: solver.f90 operators.f90 main.f90
! compilers: gfortran
program main
  use solver_module
  use operators
  implicit none
  type(deep_solver), target :: first
  class(solver), pointer :: second
  !$cppc init
  allocate (first%field(5), first%extra(5))
  first%field = [1, 2, 3, 4, 5]
  first%extra = 7
  first%history = [4, 5, 6]
  allocate (first%applied, source=scaling(0.5d0))
  allocate (first%note, source=remark(42))
  call first%run(6)
  allocate (second)
  allocate (second%field(3))
  second%field = [1, 2, 4]
  allocate (shifting :: second%applied)
  !$cppc register(first, second)
  call second%run(4)
  !$cppc shutdown
  print *, first%history, first%extra, first%field
  print *, second%field, second%total
  select type (found => first%note)
  type is (remark)
    print *, found%amount
  end select
  select type (applied => first%applied)
  type is (scaling)
    print *, applied%calls
  end select
end program main
