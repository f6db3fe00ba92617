! Memory that moves, with its bounds; derived types that are padded otherwise elsewhere; recursion; loops of several kinds
! whose bounds change while they run.
module model
  implicit none
  type :: point
    character(len=3) :: tag
    real(8) :: at(2)
    integer(2) :: level
    integer(8) :: id
  end type point
  type :: cell
    logical(1) :: alive
    type(point) :: corner(2)
    real(4) :: weight
    complex(8) :: phase
  end type cell
  type(cell), save :: cells(0:2)
  real(8), allocatable, save :: field(:, :)
  real(8), pointer, save :: window(:)
  integer(8), save :: passed = 0
contains
  recursive subroutine descend(depth, values)
    integer, intent(in) :: depth
    real(8), intent(inout) :: values(:)
    real(8) :: mine(2)
    integer(2) :: level
    character(len=4) :: name
    integer(8) :: i
    level = int(depth * 100, 2); mine = [0.25d0, -1d0] * depth; name = 'lv' // char(ichar('0') + depth)
    !$cppc register(level, mine, name)
    do i = 1_8, 2_8
      if (depth > 0) call descend(depth - 1, values)
      mine = mine * 1.5d0 + i
    end do
    if (depth < 2) then
      !$cppc checkpoint
      passed = passed + 1
      call maybe_die(int(passed))
    end if
    values(1 + depth) = values(1 + depth) + mine(1) * level
    if (name(1:2) /= 'lv') values = -1
  end subroutine descend
end module model

program memory
  use model
  implicit none
  integer :: i, low
  integer(2) :: turn, last
  integer(8), allocatable :: line(:)
  real(8), allocatable, target :: store(:)
  character(len=:), allocatable :: words(:)
  complex(4), allocatable :: one
  real(8), allocatable :: never(:), kept(:, :)
  !$cppc init
  allocate (field(-1:1, 4), line(10:14), store(30), one)
  allocate (character(len=6) :: words(0:1))
  do i = 1, 4
    field(:, i) = [i * 0.5d0, -i * 1d0, i / 3d0]
  end do
  line = [1_8, -5000000000_8, 3_8, 4_8, 5_8]
  store = [(i / 7d0, i=1, 30)]
  window => store(5:12)
  words = ['first ', 'second']; one = (1, 2); low = -1; last = 3
  do i = 0, 2
    cells(i) = cell(mod(i, 2) == 0, [point('ab' // char(99 + i), [i * 1d0, 0.5d0], int(i, 2), -i * 10000000000_8), &
                                     point('xyz', [-1d0, i / 3d0], 7_2, 1_8)], 0.1 * i, (0.5d0, 1d0) * i)
  end do
  !$cppc register(passed, cells, field, line, store, window, words, one, never, low)
  do turn = 1_2, last, 2_2
    call descend(2, store)
    last = last + 1_2
    field(low, :) = field(low, :) * 1.25d0 + turn
    if (turn == 1) then
      allocate (kept(low - 1:2, 3)); kept = 0.125d0
      kept(low:1, :) = field(:, 1:3)
      call move_alloc(kept, field)
      low = low - 1
      deallocate (words); allocate (character(len=9) :: words(2:4)); words = 'grown'
      words(3) = 'in middle'
    end if
    window(1) = window(8) * 2; window => store(turn + 6:turn + 13)
    line(10 + turn) = line(11) / 3 - turn; one = one * (0, 1)
    cells(turn - 1)%corner(2)%at = cells(2)%corner(1)%at * 1.5d0 + turn; cells(0)%alive = .not. cells(0)%alive
    cells%corner(1)%id = cells%corner(1)%id - turn; cells(1)%phase = cells(1)%phase * (0, 1)
    do i = 1, 3
      !$cppc checkpoint
      passed = passed + 1
      call maybe_die(int(passed))
      cells(i - 1)%weight = cells(i - 1)%weight * 1.5 + i; cells(i - 1)%corner(1)%tag(1:1) = char(96 + i + turn)
    end do
  end do
  print '(6(1x, i0), 20(1x, z16.16))', passed, low, lbound(field), ubound(field), field
  print '(6(1x, i0), 9(1x, z16.16))', line, lbound(window), window, lbound(store)
  print '(30(1x, z16.16))', store
  print '(3(1x, i0), 3a, 2(1x, z8.8), 1x, l1)', lbound(words), len(words), size(words), words, one, allocated(never)
  do i = 0, 2
    print '(l1, 2(1x, a, 2(1x, z16.16), 2(1x, i0)), 1x, z8.8, 2(1x, z16.16))', cells(i)
  end do
  !$cppc shutdown
end program memory

include 'dying.inc'
