! Arguments that one compiler copies for arrays of assumed shape, and arrays whose elements may have gaps in one of the calls.
module shapes
  implicit none
  type particle
    real :: x, v(3)
  end type particle
  type, extends(particle) :: ion
    real :: charge
  end type ion
  type holder
    real, pointer :: part(:)
  end type holder
contains
  subroutine views(u)
    real, intent(inout) :: u(:)
    u = u + 1
    !$cppc checkpoint
  end subroutine views
  subroutine packs(u)
    real, contiguous, intent(inout) :: u(:)
    call views(u)
  end subroutine packs
  subroutine sized(u, n)
    integer, intent(in) :: n
    real :: u(n)
    call views(u)
  end subroutine sized
  subroutine letters(u)
    character(*), intent(inout) :: u(:)
    u(1) = 'z'
    !$cppc checkpoint
  end subroutine letters
  subroutine particles(u)
    type(particle), intent(inout) :: u(:)
    u(1)%x = 1
    !$cppc checkpoint
  end subroutine particles
  subroutine reads(u)
    real, contiguous, intent(in) :: u(:)
    !$cppc checkpoint
    print *, u
  end subroutine reads
  subroutine keeps(u)
    real, contiguous, intent(inout) :: u(:)
    !$cppc register(u)
    u = u + 1
    !$cppc checkpoint
  end subroutine keeps
  subroutine strided(u)
    real, intent(inout) :: u(:)
    call sized(u, size(u))
!              ~ warning[C0457] `sized` gets a copy of this argument, but the original is registered
  end subroutine strided
  subroutine dense(u)
    real, intent(inout) :: u(:)
    call sized(u, size(u))
    call sized(u(2:3), 2)
  end subroutine dense
  subroutine allocated_later(u)
    real, pointer, intent(inout) :: u(:)
    call sized(u, size(u))
  end subroutine allocated_later
  subroutine relay(u)
    real, intent(inout) :: u(:)
    call views(u)
    call indirect(u(1:5:2))
  contains
    subroutine indirect(w)
      real, intent(inout) :: w(:)
      call through(sized_three, w)
    end subroutine indirect
  end subroutine relay
  subroutine sized_three(u)
    real, intent(inout) :: u(3)
    call views(u)
  end subroutine sized_three
  subroutine through(action, u)
    interface
      subroutine action(u)
        real, intent(inout) :: u(3)
      end subroutine action
    end interface
    real, intent(inout) :: u(:)
    call action(u)
!               ~ warning[C0457] `sized_three` gets a copy of this argument, but the original is registered
  end subroutine through
end module shapes

program copied_arguments
  use shapes
  implicit none
  type(particle), target :: p(4)
  type(ion) :: q(4)
  type(holder) :: h
  complex :: z(4)
  character(4) :: names(4)
  real, target :: a(12), b(4, 6)
  real, pointer :: every(:), all(:), later(:), xs(:)
  every => a(::3)
  all => a
  xs => p%x
  h%part => a(1:12:4)
  allocate (later(3))
  later = 1
  p = particle(0, 0)
  q%charge = 0
  q%particle = p
  z = 0
  names = 'abcd'
  a = 0
  b = 0
  !$cppc init
  !$cppc register(p, q, z, names, a, b, later)
  call views(p%x)
!            ~~~ warning[C0457] `views` gets a copy of this argument, but the original is registered
  call views(p(2:3)%v(2))
!            ~~~~~~~~~~~ warning[C0457] `views` gets a copy of this argument, but the original is registered
  call views(z%re)
!            ~~~~ warning[C0457] `views` gets a copy of this argument, but the original is registered
  call letters(names(:)(2:3))
!              ~~~~~~~~~~~~~ warning[C0457] `letters` gets a copy of this argument, but the original is registered
  call particles(q%particle)
!                ~~~~~~~~~~ warning[C0457] `particles` gets a copy of this argument, but the original is registered
  call packs(a(::2))
!            ~~~~~~ warning[C0457] `packs` gets a copy of this argument, but the original is registered
  call packs(every)
!            ~~~~~ warning[C0457] `packs` gets a copy of this argument, but the original is registered
  call packs(h%part)
!            ~~~~~~ warning[C0457] `packs` gets a copy of this argument, but the original is registered
  call views(xs)
!            ~~ warning[C0457] `views` gets a copy of this argument, but the original is registered
  call strided(a(1:11:2))
  associate (column => b(2, :))
    call views(column)
    call packs(column)
!              ~~~~~~ warning[C0457] `packs` gets a copy of this argument, but the original is registered
  end associate
  call views(a(::2))
  call views(every)
  call views(p(2)%v)
  call views(a(2:5))
  call letters(names)
  call letters(names(2:3))
  call packs(a(2:5))
  call packs(all)
  call packs(b(:, 2))
  call sized(b(2, 3), 4)
  call reads(p%x)
  call keeps(p%x)
  call dense(a)
  call dense(b(:, 2))
  call allocated_later(later)
  call relay(a)
  !$cppc shutdown
end program copied_arguments
