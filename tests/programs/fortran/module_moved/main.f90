! Exercises: allocatables and pointers of a module that are allocated again before a checkpoint in a procedure that
! does not see them: private ones, components, elements, those of a submodule, and not allocated at a checkpoint.
!
! order: grid.f90 points.f90 pause.f main.f90
program main
  use grid, only: begin, change, report, renamed => cells
  implicit none
  integer :: step, count
  count = 0
  !$cppc init
  call begin(4)
  !$cppc register(renamed, count)
  do step = 1, 5
    call pause_here(count)
    call work()
    call report()
  end do
  print *, count
  !$cppc shutdown
contains
  subroutine work()
    call wrapped(step, count)
  end subroutine work
end program main

! It does not see the variables either.
subroutine wrapped(step, count)
  use grid, only: change
  implicit none
  integer :: step, count
  call change(step)
  call pause_here(count)
  call change(step)
end subroutine wrapped
