! The variables of a module, in the module and elsewhere.
module fields
  implicit none
  private
  integer, parameter, public :: n = 4
  real(8), public :: grid(n)
  integer :: calls = 0
  public :: keep
contains
  subroutine keep
!$cppc register(module fields)
!$cppc checkpoint
    calls = calls + 1
  end subroutine keep
end module fields

subroutine forget
  use fields, only: renamed => grid
!$cppc unregister(MODULE Fields)
!$cppc checkpoint
  renamed = renamed + 1
end subroutine forget
