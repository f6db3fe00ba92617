! Sections of arrays, and components of their elements.
program wrong
  implicit none
  type part
    real, allocatable :: u(:)
    real :: x
  end type part
  type site
    real :: link(3)
    type(part) :: parts(2)
    real, pointer :: data(:)
    integer :: n
  end type site
  type(site) :: lattice(10), grid(4, 5)
  type(site), pointer :: window(:, :)
  integer :: i, k(3)
!$cppc init
!$cppc register(lattice(1:9:2)%n)
!               ~~~~~~~~~~~~~~~~ error[C0452] the elements of a section of `lattice` are not contiguous
!$cppc register(grid(1:2, :)%n)
!               ~~~~~~~~~~~~~~ error[C0452] the elements of a section of `grid` are not contiguous
!$cppc register(grid(:, 3)%n)
!               ~~~~~~~~~~~~ error[C0452] the elements of a section of `grid` are not contiguous
!$cppc register(window(:, :)%n)
!               ~~~~~~~~~~~~~~ error[C0452] the elements of a section of `window` are not contiguous
!$cppc register(lattice%n)
!               ~~~~~~~~~ error[C0452] the elements of `lattice%n` are not contiguous
!$cppc register(lattice(k)%n)
!               ~~~~~~~~~~~~ error[C0452] the elements of `lattice(k)` are not contiguous
!$cppc register(lattice(:)%data)
!               ~~~~~~~~~~~~~~~ error[C0464] the section of `lattice(1)%data` cannot be registered
!$cppc register(lattice(:)%parts)
!               ~~~~~~~~~~~~~~~~ error[C0450] `lattice(1)%parts` is an array of a type whose component `u` is allocatable
!$cppc register(lattice(:)%parts%x)
!               ~~~~~~~~~~~~~~~~~~ error[C0464] the section of `lattice(1)%parts` cannot be registered
!$cppc register(lattice(:)%m)
!               ~~~~~~~~~~~~ error[C0421] unknown component `m`
!$cppc register(lattice(1.5:2)%n)
!               ~~~~~~~~~~~~~~~~ error[C0427] a bound of `lattice` is not an integer
!$cppc register(lattice(:, :)%n)
!               ~~~~~~~~~~~~~~~ error[C0426] `lattice` has 1 dimensions, not 2
!$cppc register(lattice(2:5)%n, lattice(i:10)%link, grid(:, 2:3)%n)
  do i = 1, 3
!$cppc checkpoint
  end do
!$cppc shutdown
end program wrong
