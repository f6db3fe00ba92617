! A restart neither restores an address of C nor allocates a coarray.
program address_and_coarray
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr
  implicit none
  type(c_ptr) :: address = c_null_ptr
  real, allocatable :: shared(:)[:]
  !$cppc init
  !$cppc register(address)
!                 ~~~~~~~ error[C0424] `address` cannot be saved
  !$cppc register(shared)
!                 ~~~~~~ error[C0424] `shared` cannot be saved
  !$cppc checkpoint
  !$cppc shutdown
end program address_and_coarray
