! No restart can enter a loop without an order.
program concurrent
  implicit none
  integer :: i, a(4)
  !$cppc init
  !$cppc register(a)
  do concurrent (i = 1:4)
! ~~~~~~~~~~~~~~~~~~~~~~~ error[C0513] a restart cannot enter this `do concurrent`
    a(i) = i
    !$cppc checkpoint
  end do
  print *, a
end program concurrent
