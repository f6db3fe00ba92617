! Exercises: registering a name again, in another place and with another part; unregistering;
! registers in branches, one of which is never taken, and in a procedure called before the loop.
program again
  implicit none
  integer :: i, k, n
  real(8) :: a(20), b(5), scratch(5), never(3)
  common /shared/ b
  a = 1; b = 2; scratch = 3; never = 4; n = 4
  !$cppc init
  call prepare()
  !$cppc register(a(n), i, n)
  do i = 1, 8
    if (i == 3) then
      n = 9
      a(5:9) = i
      !$cppc register(a(n), n)
    else if (i == 5) then
      !$cppc register(scratch)
      scratch = i * 0.5d0
    else if (i > 100) then
      !$cppc register(never)
    end if
    if (i == 7) then
      !$cppc unregister(scratch)
      scratch = 0
    end if
    !$cppc checkpoint
    if (i >= 5 .and. i < 7) scratch = scratch + a(1)
    if (i == 7) scratch = i
    do k = 1, n
      a(k) = a(k) * 0.5d0 + k + b(mod(k, 5) + 1)
    end do
    b = b * 0.75d0
    print '(i2, 3(1x, z16.16))', i, sum(a(1:n)), b(3), a(n)
    if (i >= 5 .and. i < 7) print '(5(1x, z16.16))', scratch
  end do
  !$cppc shutdown
contains
  subroutine prepare()
    !$cppc register(b)
    b(2) = 5
  end subroutine prepare
end program again
