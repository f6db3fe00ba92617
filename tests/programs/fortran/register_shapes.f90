! Exercises: arrays of several dimensions: explicit, assumed and deferred shapes, of assumed size, in modules and COMMON,
! of derived types and of texts, allocatables and pointers with bounds of their own, parts of whole columns. Each
! element begins as its number in memory; `writers` looks at the shapes in state files.
module grid
  implicit none
  type cell
    integer :: id
    real(8) :: at(2)
  end type cell
  real(8), save :: field(0:3, -1:3)
  type(cell), save :: cells(2, 3)
  integer, allocatable :: counts(:, :)
contains
  subroutine run(n, m, a, b, c, e)
    integer, intent(in) :: n, m
    real(8) :: a(n, m), b(:, :), c(n, *), e(2, n, 2:m)
    integer :: cube(2, 3, 4), half(6, 6), i, k
    real(4), allocatable :: moves(:, :, :)
    integer, pointer :: shared(:, :)
    character(len=4) :: words(2, 3)
    integer :: given(3, 5)
    common /block/ given
    allocate (moves(2, 0:2, m), shared(3:4, 5))
    cube = reshape([(k, k = 0, 23)], shape(cube))
    half = reshape([(k, k = 0, 35)], shape(half))
    moves = reshape([(real(k), k = 0, 6 * m - 1)], [2, 3, m])
    shared = reshape([(k, k = 0, 9)], [2, 5])
    words = reshape(['one ', 'two ', 'thre', 'four', 'five', 'six '], [2, 3])
    !$cppc register(a, b, c(n, m), e, cube, half(6, 2), moves, shared, words, field, cells, counts, given)
    do i = 1, 6
      !$cppc checkpoint
      a = a + 1000; b = b + 1000; c(:, 1:m) = c(:, 1:m) + 1000; e = e + 1000
      cube = cube + 1000; half(:, 1:2) = half(:, 1:2) + 1000; moves = moves + 1000; shared = shared + 1000
      field = field + 1000; cells%id = cells%id + 1000; counts = counts + 1000; given = given + 1000
      words(1 + mod(i, 2), 3)(4:4) = achar(96 + i)
      print '(i2, 11f12.1, 6a5)', i, a(n, m), b(1, 2), c(2, m), e(2, 1, 2), real(cube(2, 3, 4)), real(half(6, 2)), &
          moves(2, 0, m), real(shared(4, 5)), field(0, 3), real(counts(5, 1) + cells(2, 1)%id), real(given(3, 5)), words
    end do
    deallocate (shared)
  end subroutine run
end module grid

program shapes
  use grid
  implicit none
  real(8) :: a(3, 4), b(2, 6), c(3, 9), e(2, 3, 3)
  integer :: given(3, 5), k
  common /block/ given
  a = reshape([(real(k, 8), k = 0, 11)], shape(a))
  b = reshape([(real(k, 8), k = 0, 11)], shape(b))
  c = reshape([(real(k, 8), k = 0, 26)], shape(c))
  e = reshape([(real(k, 8), k = 0, 17)], shape(e))
  field = reshape([(real(k, 8), k = 0, 19)], shape(field))
  given = reshape([(k, k = 0, 14)], shape(given))
  cells%id = reshape([(k, k = 0, 5)], shape(cells))
  do k = 1, 3
    cells(:, k)%at(1) = 0; cells(:, k)%at(2) = 0
  end do
  allocate (counts(5, 2))
  counts = reshape([(k, k = 0, 9)], shape(counts))
  !$cppc init
  call run(3, 4, a, b, c, e)
  !$cppc shutdown
end program shapes
