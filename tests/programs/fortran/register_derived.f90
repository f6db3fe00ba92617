! Exercises: derived types: scalars, nested ones, arrays of them, components that are arrays, a
! sequence type, and single components.
program derived
  implicit none
  type point
    real(8) :: x = 0, y = 0
    integer(1) :: colour = 7
  end type point
  type :: body
    character(len=5) :: name
    type(point) :: place, way(2)
    real(4), dimension(3) :: force
    logical :: fixed
    complex(8) :: wave
  end type body
  type packed
    sequence
    integer(2) :: a
    real(8) :: b
    character :: c
  end type packed
  type(point) :: origin
  type(body) :: sun, planets(3)
  type(packed), save :: small(2)
  type(body) :: partly
  integer :: i, k
  ! Component by component: a constructor leaves the padding of its temporary undefined, and memcheck reports it.
  origin%x = 1; origin%y = 2; origin%colour = 3
  sun%name = 'sun'; sun%place = origin; sun%way(1) = origin; sun%way(2) = origin
  sun%force = [1., 2., 3.]; sun%fixed = .true.; sun%wave = (1d0, -1d0)
  planets = sun
  do k = 1, 3
    planets(k)%name = achar(96 + k) // 'xy'
  end do
  small%a = 5; small%b = 0.5d0; small%c = 'p'
  partly = sun
  !$cppc init
  !$cppc register(origin, sun, planets, small, i)
  !$cppc register(partly%place%x, partly%force, partly%way(1)%colour)
  do i = 1, 5
    !$cppc checkpoint
    call move(origin, i)
    sun%place%x = sun%place%x + origin%y
    sun%way(2) = origin
    sun%force = sun%force * 0.5 + i
    do k = 1, 3
      planets(k)%place%y = planets(k)%place%y * k + sun%force(k)
      planets(k)%fixed = mod(i + k, 2) == 0
      planets(k)%wave = planets(k)%wave * (0d0, 1d0)
      call move(planets(k)%way(1), k)
    end do
    planets(mod(i, 3) + 1)%name(2:2) = achar(65 + i)
    small(2)%a = small(1)%a + int(i, 2)
    small(1)%b = small(1)%b + small(2)%a
    small(1)%c = achar(iachar(small(1)%c) + 1)
    partly%place%x = partly%place%x * 1.5d0
    partly%force(2) = partly%force(1) + i
    partly%way(1)%colour = partly%way(1)%colour + 1_1
    print '(i2, 4(1x, z16.16), 3i5, 3(1x, a))', i, origin%x, sun%place%x, sun%way(2)%y, partly%place%x, &
      origin%colour, sun%way(2)%colour, partly%way(1)%colour, planets%name
    print '(6(1x, z16.16), 3l2, 3z9.8, i5, a2)', planets%place%y, planets%way(1)%x, planets%fixed, partly%force, &
      small(2)%a, small(1)%c
  end do
  !$cppc shutdown
contains
  subroutine move(p, by)
    type(point), intent(inout) :: p
    integer, intent(in) :: by
    p%x = p%x * 0.5d0 + by
    !$cppc checkpoint
    p%y = p%y + p%x
    p%colour = p%colour + 1_1
  end subroutine move
end program derived
