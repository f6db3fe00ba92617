! Exercises: statements and procedures on the way to a checkpoint that stand in included files, one of them in another
! one: their text takes the place of the line that includes it.
program form_include_executable
  implicit none
  include 'declarations.inc'
  x = 0
!$cppc init
!$cppc register(x)
  do step = 1, 4
    include 'work.inc'
    print '(i2, f8.1)', step, x
  end do
!$cppc shutdown
contains
  include 'procedures.inc'
  subroutine pass
!$cppc checkpoint
  end subroutine pass
end program form_include_executable
