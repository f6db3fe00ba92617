! WHERE holds assignments to parts of arrays, and nothing that could be gone to.
program masked
  implicit none
  integer :: a(4)
  a = [1, 2, 3, 4]
  !$cppc init
  !$cppc register(a)
  where (a > 2)
! ~~~~~~~~~~~~~ error[C0513] a restart cannot enter this `where`
    a = 0
    !$cppc checkpoint
  end where
  print *, a
end program masked
