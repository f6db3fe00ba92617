! Procedure pointers that are variables of a module or components. A register of the structure restores its pointer.
! reports: chosen, later, member, members
! all: chosen, later, member, members
module actions
  implicit none
  abstract interface
    subroutine action(n)
      integer, intent(in) :: n
    end subroutine action
  end interface
  type job
    procedure(action), pointer, nopass :: run => null()
  end type job
  procedure(action), pointer :: chosen => null(), later => null()
  type(job) :: member, saved
  type(job), allocatable :: members(:), saved_members(:)
contains
  subroutine pass(n)
    integer, intent(in) :: n
    !$cppc checkpoint
    print *, 'pass', n
  end subroutine pass
  subroutine quiet(n)
    integer, intent(in) :: n
    print *, 'quiet', n
  end subroutine quiet
  subroutine choose()
    chosen => pass
    later => quiet
    member%run => pass
    saved%run => pass
    allocate (members(2), saved_members(2))
    members(2)%run => quiet
    saved_members(1)%run => quiet
  end subroutine choose
end module actions

program procedure_pointers_elsewhere
  use actions
  implicit none
  integer :: i
  !$cppc init
  call choose()
  !$cppc register(saved, saved_members)
  do i = 1, 4
    call chosen(i)
    call member%run(i)
    call saved%run(i)
    call later(i)
    call members(2)%run(i)
    call saved_members(1)%run(i)
  end do
  !$cppc shutdown
end program procedure_pointers_elsewhere
