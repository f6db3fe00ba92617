! Polymorphic variables and components with their dynamic types: pointers, allocatables, arrays, `class(*)`, types without
! components, and pointers that were never set.
!
! compilers: gfortran
module shapes
  implicit none
  type, abstract :: shape
    integer :: id = 0
    class(shape), pointer :: next => null()
  contains
    procedure(area_of_shape), deferred :: area
  end type shape
  abstract interface
    function area_of_shape(self) result(a)
      import :: shape
      class(shape), intent(in) :: self
      real(8) :: a
    end function area_of_shape
  end interface
  type, extends(shape) :: circle
    real(8) :: r = 1
  contains
    procedure :: area => area_of_circle
  end type circle
  type, extends(shape) :: polygon
    real(8), allocatable :: x(:), y(:)
    character(len=:), allocatable :: label
    class(shape), pointer :: unset
  contains
    procedure :: area => area_of_polygon
  end type polygon
  type :: rule
  contains
    procedure :: apply => apply_rule
  end type rule
  type, extends(rule) :: doubling
  contains
    procedure :: apply => apply_doubling
  end type doubling
  type, extends(rule) :: adding
    integer :: amount = 1
  contains
    procedure :: apply => apply_adding
  end type adding
  type :: group
    class(shape), allocatable :: first
    class(shape), allocatable :: members(:)
    class(shape), pointer :: rows(:, :) => null()
    class(*), pointer :: value => null()
    class(*), allocatable :: values(:)
    class(rule), allocatable :: rule
  end type group
  class(*), allocatable, save :: any
contains
  function area_of_circle(self) result(a)
    class(circle), intent(in) :: self
    real(8) :: a
    a = 3 * self%r**2
  end function area_of_circle

  function area_of_polygon(self) result(a)
    class(polygon), intent(in) :: self
    real(8) :: a
    a = sum(self%x * self%y) + len(self%label)
  end function area_of_polygon

  subroutine apply_rule(self, n)
    class(rule), intent(in) :: self
    integer, intent(inout) :: n
    n = n + 0 * storage_size(self)
  end subroutine apply_rule

  subroutine apply_doubling(self, n)
    class(doubling), intent(in) :: self
    integer, intent(inout) :: n
    n = 2 * n + 0 * storage_size(self)
  end subroutine apply_doubling

  subroutine apply_adding(self, n)
    class(adding), intent(in) :: self
    integer, intent(inout) :: n
    n = n + self%amount
  end subroutine apply_adding

  subroutine print_any(name, value)
    character(len=*), intent(in) :: name
    class(*), intent(in) :: value
    select type (value)
    type is (integer)
      print *, name, ' integer ', value
    type is (real(8))
      print *, name, ' real ', value
    type is (character(len=*))
      print *, name, ' text ', value
    class is (shape)
      print *, name, ' shape ', value%area()
    end select
  end subroutine print_any

  ! The dynamic type of `self` is not known here.
  subroutine work(self, step)
    class(group), intent(inout) :: self
    integer, intent(in) :: step
    integer :: n
    !$cppc register(self)
    n = step
    !$cppc register(n)
    !$cppc checkpoint
    call self%rule%apply(n)
    if (allocated(self%members)) self%members%id = self%members%id + n
    print *, 'work', n, allocated(self%first), allocated(self%members)
  end subroutine work
end module shapes

program register_polymorphic
  use shapes
  implicit none
  type, extends(group) :: larger
    integer :: steps = 0
    class(shape), pointer :: chosen => null()
  end type larger
  class(shape), pointer :: head, p
  class(shape), allocatable :: one
  type(larger) :: groups(3)
  integer, pointer :: number
  character(len=:), pointer :: text
  integer :: i, k
  real(8) :: total

  nullify (head, p, number, text)
  !$cppc init
  total = 0
  do k = 1, 3
    if (k == 1) allocate (rule :: groups(k)%rule)
    if (k == 2) allocate (doubling :: groups(k)%rule)
    if (k == 3) allocate (groups(k)%rule, source=adding(5))
  end do
  !$cppc register(i, total, head, one, groups, any)
  do i = 1, 9
    !$cppc checkpoint
    if (mod(i, 2) == 0) then
      allocate (circle :: p)
    else
      allocate (polygon :: p)
    end if
    p%id = i
    p%next => head
    head => p
    select type (p)
    type is (circle)
      p%r = i
    type is (polygon)
      allocate (p%x(i), p%y(i))
      p%x = i
      p%y = 2
      p%label = repeat('a', i)
    end select
    if (allocated(one)) deallocate (one)
    allocate (one, source=head)
    k = mod(i, 3) + 1
    groups(k)%chosen => head
    groups(k)%steps = groups(k)%steps + 1
    if (.not. allocated(groups(k)%first)) allocate (groups(k)%first, source=one)
    if (allocated(groups(k)%members)) deallocate (groups(k)%members)
    allocate (circle :: groups(k)%members(i))
    if (.not. associated(groups(k)%rows)) then
      allocate (circle :: groups(k)%rows(2, k))
      groups(k)%rows%id = i
    end if
    select case (k)
    case (1)
      allocate (number)
      number = i
      groups(k)%value => number
      if (.not. allocated(groups(k)%values)) allocate (groups(k)%values, source=[1.5d0, 2.5d0])
      if (allocated(any)) deallocate (any)
      allocate (any, source=i)
    case (2)
      allocate (character(len=i) :: text)
      text = repeat('b', i)
      groups(k)%value => text
      if (allocated(any)) deallocate (any)
      allocate (any, source=text // 'c')
    case (3)
      groups(k)%value => head
    end select
    call work(groups(k), i)
    p => head
    do while (associated(p))
      total = total + p%area() * p%id
      p => p%next
    end do
    print *, i, total, one%area(), same_type_as(one, head)
  end do
  !$cppc shutdown

  do k = 1, 3
    print *, groups(k)%steps, groups(k)%first%area(), groups(k)%chosen%area(), groups(k)%members%id, groups(k)%rows%id
    call print_any('value', groups(k)%value)
    if (allocated(groups(k)%values)) call print_any('values', groups(k)%values(2))
  end do
  call print_any('any', any)
end program register_polymorphic
