! Exercises: one component of the elements of an array as one register: static arrays, allocatables, pointers, dummy
! arguments with and without gaps, nested types, characters, and sections of several dimensions.
module lattices
  implicit none
  type pair
    integer(2) :: counted(2)
    real :: y
  end type pair
  type site
    character(len=3) :: tag = 'abc'
    real(8) :: value(0:2) = 0
    integer :: scratch = 0
    type(pair) :: inner = pair((/ 0_2, 0_2 /), 0.0)
    type(pair) :: pairs(2) = pair((/ 0_2, 0_2 /), 0.0)
    complex(8) :: last = (0, 0)
  end type site
  type world
    type(site) :: cells(4)
  end type world
  type(site), save, target :: lattice(12)
  type(site), save :: grid(3, -1:2)
  type(site), allocatable :: opened(:)
contains
  subroutine advance(sites, n, step)
    integer, intent(in) :: n, step
    type(site), intent(inout) :: sites(n)
    integer :: i
    do i = 1, n
      sites(i)%value(mod(step, 3)) = sites(i)%value(mod(step, 3)) + i + 0.5d0 * step
      sites(i)%scratch = step
      sites(i)%inner%counted(1) = sites(i)%inner%counted(1) + 1_2
      sites(i)%inner%y = sites(i)%inner%y + 0.25
      sites(i)%pairs(2)%y = sites(i)%pairs(2)%y + real(i)
      sites(i)%last = sites(i)%last + cmplx(sites(i)%scratch, i, 8)
      sites(i)%tag(2:2) = char(ichar('a') + step)
    end do
  end subroutine advance

  function total(sites, n) result(sum)
    integer, intent(in) :: n
    type(site), intent(in) :: sites(n)
    real(8) :: sum
    integer :: i
    sum = 0
    do i = 1, n
      sum = sum + sites(i)%value(0) + 2 * sites(i)%value(1) + 3 * sites(i)%value(2) + sites(i)%inner%counted(1)
      sum = sum + sites(i)%inner%y + sites(i)%pairs(2)%y + real(sites(i)%last) + aimag(sites(i)%last)
      sum = sum + ichar(sites(i)%tag(2:2))
    end do
  end function total

  ! A dummy argument whose elements may have gaps between them.
  subroutine below(sites, n, all)
    integer, intent(in) :: n
    type(site), intent(inout) :: sites(:)
    type(site), intent(inout) :: all(n)
    integer :: i, k
!$cppc register(i, sites(:)%value, sites(2:3)%last, all(n - 1:n)%inner, all(1:2)%tag)
    do i = 1, 3
!$cppc allow(C0701)
!$cppc checkpoint
      do k = 1, size(sites)
        sites(k)%value(1) = sites(k)%value(1) + i * k
      end do
      sites(2)%last = sites(2)%last * 2
      sites(3)%last = sites(3)%last + i
      all(n)%inner%counted(2) = all(n)%inner%counted(2) + 1_2
      all(2)%tag(3:3) = char(ichar('p') + i)
    end do
  end subroutine below
end module lattices

program sections
  use lattices
  implicit none
  type(site), pointer :: window(:)
  type(world) :: planet
  integer :: step, first, n, numbers(20)
  allocate(window(12))
!$cppc init
!$cppc execute
  allocate(opened(0:11))
!$cppc end execute
  first = 3
  n = 12
  numbers = 0
!$cppc register(step, lattice(:)%value, lattice(1:n)%inner, lattice(:)%pairs, lattice(:)%last, lattice(:)%tag)
!$cppc register(grid(:, :)%value, grid(:,:)%inner, grid(:, 0:2)%pairs, grid(:, -1:-1)%pairs, grid(:,:)%last, grid(:,:)%tag)
!$cppc register(window(1:n)%value, window(:)%inner%counted, window(:)%inner%y, window(:)%pairs, window(:)%last)
!$cppc register(window(:)%tag, planet%cells(2:3), numbers(first:first + 4))
!$cppc register(opened(:)%value, opened(:)%inner, opened(:)%pairs, opened(:)%last, opened(:)%tag)
  do step = 1, 4
    ! `advance` gets whole arrays, so the check does not see that it needs only some components. The lower bound of the
    ! section of `numbers` is computed.
!$cppc allow(C0701)
!$cppc checkpoint
    call advance(lattice, 12, step)
    call advance(grid, 12, step)
    call advance(window, 12, step)
    call advance(opened, 12, step)
    call advance(planet%cells(2:3), 2, step)
    numbers(3:7) = numbers(3:7) + step
    print *, step, total(lattice, 12), total(grid, 12), total(window, 12), total(opened, 12)
    print *, total(planet%cells(2:3), 2), numbers(3:7)
  end do
!$cppc unregister(lattice(:)%value, lattice(1:n)%inner, lattice(:)%tag, lattice(:)%last)
  call below(lattice(1:12:3), 12, lattice)
  print *, lattice(1:12:3)%value(1), lattice(4)%last, lattice(7)%last, lattice(12)%inner%counted, lattice(1:2)%tag
!$cppc shutdown
  deallocate(window, opened)
end program sections
