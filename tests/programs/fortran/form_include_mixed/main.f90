! Exercises: an included file that begins with declarations and ends with statements.
program form_include_mixed
  implicit none
  include 'start.inc'
!$cppc init
!$cppc register(x, step)
  do step = 1, 4
!$cppc checkpoint
    x = x + step
    print '(i2, f8.1)', step, x
  end do
!$cppc shutdown
end program form_include_mixed
