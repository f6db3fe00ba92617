! The first iteration passes the checkpoint before the register. An allocatable array has one report.
! reports: late, list
program registered_after_the_checkpoint
  implicit none
  integer :: late, early, i
  integer, allocatable :: list(:), part(:)
  !$cppc init
  !$cppc register(early, part)
  late = 3
  early = 4
  allocate (list(3), part(3))
  list = 7
  part = 8
  do i = 1, 5
    !$cppc checkpoint
    !$cppc register(late)
    late = late + early
    !$cppc register(list)
    list = list + part
  end do
  !$cppc shutdown
  print *, late, list
end program registered_after_the_checkpoint
