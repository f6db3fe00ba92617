! machines: x86-64 s390x aarch64
! Kinds of 16 bytes that only machines with 64 bits have.
program wide
  implicit none
  integer(16), save :: number = -100000000000000000000000000000000000001_16
  integer(16), save :: numbers(3) = [1_16, -2_16, 30000000000000000000000000000_16]
  logical(16), save :: flag = .true., flags(2) = [.true., .false.]
  integer(16) :: mine
  logical(16) :: yes
  integer :: turn
  !$cppc init
  mine = 10_16**30; yes = .true.
  !$cppc register(number, numbers, flag, flags, mine, yes)
  do turn = 1, 3
    !$cppc checkpoint
    call maybe_die(turn)
    number = number / 3; numbers = cshift(numbers, 1) * 7; flag = .not. flag; flags = flags(2:1:-1)
    mine = mine - 3_16**(40 + turn); yes = flag .neqv. yes
  end do
  print '(5(1x, i0))', number, numbers, mine
  print '(4(1x, l1))', flag, flags, yes
  !$cppc shutdown
end program wide

include 'dying.inc'
