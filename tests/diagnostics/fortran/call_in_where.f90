! A function that leads to a checkpoint, in the mask and in an assignment of WHERE, and in FORALL.
program masked
  implicit none
  integer :: a(4), k
  a = [1, 2, 3, 4]
  !$cppc init
  !$cppc register(a)
  where (a > limit(2))
! ~~~~~~~~~~~~~~~~~~~~ error[C0513] a restart cannot enter this `where`
    a = limit(3)
  end where
  forall (k = 1:4) a(k) = k
  print *, a
contains
  integer function limit(n)
    integer, intent(in) :: n
    !$cppc checkpoint
    limit = n
  end function limit
end program masked
