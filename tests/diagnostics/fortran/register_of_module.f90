! Variables of a module that `register(module m)` cannot register, and modules that are not known.
module engine
  implicit none
  integer, parameter :: limit = 4
  type node
    integer :: value
    class(node), pointer :: next
  end type node
  type(node) :: root
  real, private :: secret = 0
  real :: shown = 0
  integer, allocatable, protected :: fixed(:)
contains
  subroutine work
    shown = shown + secret
    fixed = [1]
  end subroutine work
end module engine

program registers
  use engine
  use nowhere
  implicit none
  integer :: module
  !$cppc init
  !$cppc register(module, module engine)
!                         ~~~~~~~~~~~~~ warning[C0462] `fixed` of the module `engine` is not registered
!                         ~~~~~~~~~~~~~ warning[C0462] `secret` of the module `engine` is not registered
  !$cppc register(module missing)
!                 ~~~~~~~~~~~~~~ error[C0421] unknown module `missing`
  !$cppc register(module nowhere)
!                 ~~~~~~~~~~~~~~ error[C0451] the variables of module `nowhere` are not known
  !$cppc execute capture(module engine)
!                        ~~~~~~~~~~~~~ error[C0423] module `engine` is not a variable
  call work
  !$cppc end execute
  !$cppc checkpoint
  print *, module, shown
  !$cppc unregister(module engine)
  !$cppc shutdown
end program registers
