module things
  use elsewhere
  implicit none
  type node
    real, pointer :: next(:)
    integer :: value
  end type node
  type hook
    procedure(), pointer, nopass :: call
  end type hook
  type(node) :: nodes(3), one
  type(node), allocatable :: many(:)
  type flat
    integer :: value
  end type flat
  type(flat), pointer :: flats(:)
  type(foreign) :: strange
  !$cppc register(nodes)
!        ~~~~~~~~~~~~~~~ error[C0403] `register` is outside of all procedures
contains
  subroutine use_them(a, b, poly, any, thing)
    real :: a(*), b(3, *)
    class(node) :: poly
    class(node), allocatable :: polies(:)
    class(*) :: thing
    type(*) :: any
    real :: table(4, 5), scalar
    character(len=8) :: word
    complex, allocatable :: field(:)
    integer, parameter :: size_of = 3
    type(hook) :: hooks
    real(kind_of_there) :: odd
    !$cppc register(a)
!                   ~ error[C0425] the size of `a` is not known here
    !$cppc register(b, b(3, 2))
!                   ~ error[C0425] the size of `b` is not known here
    !$cppc register(nodes)
    !$cppc register(many)
    !$cppc register(flats)
    !$cppc register(strange)
!                   ~~~~~~~ error[C0424] `strange` cannot be saved
    !$cppc register(poly, any)
!                         ~~~ error[C0424] `any` cannot be saved
    !$cppc register(polies)
!                   ~~~~~~ error[C0424] `polies` cannot be saved
    !$cppc register(thing)
!                   ~~~~~ error[C0424] `thing` cannot be saved
    !$cppc register(table(1:2, 3))
!                   ~~~~~~~~~~~~~ error[C0452] the elements of a section of `table` are not contiguous
    !$cppc register(table(5, 5))
!                   ~~~~~~~~~~~ error[C0427] `table` has 20 elements, but this is number 21
    !$cppc register(table(2))
!                   ~~~~~~~~ error[C0426] `table` has 2 dimensions, not 1
    !$cppc register(table(1.5, 1))
!                   ~~~~~~~~~~~~~ error[C0427] a subscript of `table` is not an integer
    !$cppc register(table(0, 1))
!                   ~~~~~~~~~~~ error[C0427] the part of `table` ends before its first element
    !$cppc register(scalar(3))
!                   ~~~~~~~~~ error[C0426] `scalar` has no elements to count
    !$cppc register(word(1:3))
!                   ~~~~~~~~~ error[C0426] `word` has no elements to count
    !$cppc register(field(3))
!                   ~~~~~~~~ error[C0426] `field` is allocatable, so only all of it can be registered
    !$cppc register(size_of, use_them)
!                   ~~~~~~~ error[C0422] `size_of` is a constant
!                            ~~~~~~~~ error[C0422] `use_them` is a procedure
    !$cppc register(scalr)
!                   ~~~~~ error[C0421] unknown name `scalr`
    !$cppc register(nowhere)
!                   ~~~~~~~ error[C0451] the type of `nowhere` is not known
    !$cppc register(one%vale)
!                   ~~~~~~~~ error[C0421] unknown component `vale`
    !$cppc register(scalar%x)
!                   ~~~~~~~~ error[C0426] `scalar` has no components
    !$cppc register(scalar + 1)
!                   ~~~~~~~~~~ error[C0423] `scalar + 1` names no memory
    !$cppc register(nodes%value)
!                   ~~~~~~~~~~~ error[C0452] the elements of `nodes%value` are not contiguous
    !$cppc register(/block/)
!                   ~~~~~~~ error[C0421] unknown COMMON block `block`
    !$cppc register(hooks)
    !$cppc register(odd)
!                   ~~~ error[C0451] the type of `odd` is not known
    !$cppc register(sin(scalar))
!                   ~~~~~~~~~~~ error[C0423] `sin(scalar)` names no memory
    !$cppc register(1x)
!                   ~~ error[C0420] `1x` is not a Fortran expression
  end subroutine use_them
end module things
