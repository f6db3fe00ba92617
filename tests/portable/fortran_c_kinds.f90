! Kinds that are another number on another machine: those of C's types, and those that are asked for by their range.
module chosen
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: precise = selected_real_kind(18)
  type, bind(c) :: mixed
    character(c_char) :: tag
    integer(c_long) :: number
    real(c_double) :: weight
    integer(c_size_t) :: count
    integer(c_int_fast16_t) :: fast
    logical(c_bool) :: flag
  end type mixed
  type :: own
    logical(1) :: yes
    real(precise) :: exact
    integer(c_intptr_t) :: place
    complex(precise) :: turned
  end type own
  type(mixed), save :: some(3)
  type(own), save :: others(2)
  integer(c_long), save :: longs(4) = [1_c_long, -2_c_long, 3_c_long, 2000000000_c_long]
  real(precise), save :: fine(3) = [0.5_precise, -1.25_precise, 3.0_precise]
end module chosen

program c_kinds
  use chosen
  implicit none
  integer(c_long) :: number
  integer(c_size_t) :: count
  integer(c_ptrdiff_t) :: shift
  integer(c_int_fast32_t) :: fast
  real(c_long_double) :: long
  real(precise) :: exact
  complex(precise) :: turned
  logical(c_bool) :: flag
  real(precise), allocatable :: grown(:, :)
  integer(c_long), allocatable :: counters(:)
  integer :: turn, i
  !$cppc init
  number = -2000000000; count = 3000000; shift = -5; fast = 70000; long = 3 + 1._c_long_double / 1024
  exact = -5 - 1._precise / 4096; turned = (1.5_precise, -2.5_precise); flag = .true.
  some = mixed('a', 1000003, 0.25d0, 12, -3, .true._c_bool)
  others = own(.true., 0.125_precise, -70000, (0.5_precise, 0.25_precise))
  allocate (grown(0:2, 5:6), counters(-3:3))
  grown = 0.375_precise; counters = [(int(i * 100000, c_long), i=1, 7)]
  !$cppc register(number, count, shift, fast, long, exact, turned, flag, some, others, longs, fine, grown, counters)
  do turn = 1, 3
    !$cppc checkpoint
    call maybe_die(turn)
    number = number / 3; count = count + 17; shift = shift * 3; fast = fast - 1; long = long * 1.5_c_long_double
    exact = exact * 0.5_precise; turned = turned * (0, 1); flag = .not. flag
    some(turn)%number = some(1)%number - turn; some(turn)%tag = char(ichar(some(turn)%tag) + turn); some%weight = some%weight * 2
    some%count = some%count + 1; some(2)%fast = some(2)%fast * 2_c_int_fast16_t; some(3)%flag = flag
    others(1)%exact = others(2)%exact * 3; others(2)%turned = others(1)%turned * (0, 1); others%place = others%place - 1
    longs = cshift(longs, 1); fine = fine * 1.5_precise
    grown(turn - 1, :) = grown(2, 5) * 2 + turn; counters(turn) = counters(-turn) - 1
  end do
  print '(4(1x, i0), 2(1x, z16.16), 2(1x, z16.16), 1x, l1)', number, count, shift, fast, real(long, 8), real(exact, 8), &
    cmplx(turned, kind=8), flag
  do i = 1, 3
    print '(a, 1x, i0, 1x, z16.16, 2(1x, i0), 1x, l1)', some(i)
  end do
  do i = 1, 2
    print '(l1, 1x, z16.16, 1x, i0, 2(1x, z16.16))', others(i)%yes, real(others(i)%exact, 8), others(i)%place, &
      cmplx(others(i)%turned, kind=8)
  end do
  print '(4(1x, i0), 3(1x, z16.16))', longs, real(fine, 8)
  print '(4(1x, i0), 6(1x, z16.16), 7(1x, i0))', lbound(grown), ubound(grown), real(grown, 8), counters
  !$cppc shutdown
end program c_kinds

include 'dying.inc'
