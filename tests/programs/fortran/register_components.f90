! Exercises: components that are allocatable, of a variable, of an element, of a dummy and nested ones,
! some grown in the loop and one not allocated.
program components
  implicit none
  type layer
    real(8), allocatable :: values(:)
    integer :: used = 0
  end type layer
  type model
    type(layer) :: top, layers(2)
    integer, allocatable :: index(:, :)
    character(len=4) :: name = 'none'
  end type model
  type(model) :: m
  real(8), allocatable :: more(:)
  integer :: i, k
  allocate (m%top%values(3), m%layers(2)%values(-1:1), m%index(2, 0:1))
  m%top%values = 1; m%layers(2)%values = 2; m%index = 3
  !$cppc init
  !$cppc register(m%top%values, m%top%used, m%index, m%name, i)
  !$cppc register(m%layers(2)%values, m%layers(1)%values, m%layers(2)%used)
  do i = 1, 6
    !$cppc checkpoint
    m%top%values = m%top%values * 0.5d0 + i
    m%top%used = m%top%used + size(m%top%values)
    m%index(1, mod(i, 2)) = m%index(1, mod(i, 2)) + i
    m%name(mod(i, 4) + 1:) = 'ab'
    if (mod(i, 2) == 0) then
      allocate (more(size(m%top%values) + 1))
      more(:size(m%top%values)) = m%top%values
      more(size(more)) = i
      call move_alloc(more, m%top%values)
    end if
    call work(m%layers(2))
    print '(4i5, 1x, a, l2, 4(1x, z16.16))', i, m%top%used, m%layers(2)%used, sum(m%index), m%name, &
      allocated(m%layers(1)%values), sum(m%top%values), (m%layers(2)%values(k), k = -1, 1)
  end do
  !$cppc shutdown
contains
  subroutine work(l)
    type(layer), intent(inout) :: l
    l%values(0) = l%values(-1) + i
    !$cppc checkpoint
    l%values(1) = l%values(1) * 0.5d0 + l%values(0)
    l%used = l%used + 1
  end subroutine work
end program components
