! Exercises: an OPEN statement that only runs on a condition, in a file block in one line, and in a file block that some runs
! of the procedure need. Where the condition is false, the unit is a number that was never connected.
!
! processes: 2
! writes: files
! compilers: gfortran
program open_on_condition
  implicit none
  include 'mpif.h'
  integer :: own, other, rank, ierr, step
  real :: total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  own = -1
  other = 0
!$cppc init
!$cppc execute capture(rank) file(own, 'on_condition_own.txt')
  if (rank == 0) open (newunit=own, file='on_condition_own.txt', status='replace', action='write')
!$cppc end execute
!$cppc execute capture(rank) file(other, 'on_condition_other.txt')
  if (rank == 1) open (newunit=other, file='on_condition_other.txt', status='replace', action='write')
!$cppc end execute
  total = rank
!$cppc register(total, step)
  do step = 1, 6
!$cppc checkpoint
    total = total*0.5 + step
    call note(step, total)
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (rank == 0) write (own, *) step, total
    if (rank == 1) write (other, *) step, total
  end do
  if (rank == 0) print *, total
!$cppc shutdown
  call MPI_Finalize(ierr)
contains
  subroutine note(step, total)
    integer, intent(in) :: step
    real, intent(in) :: total
    if (rank == 0 .and. step == 3) then
!$cppc execute file(31, 'on_condition_late.txt')
      open (31, file='on_condition_late.txt', status='replace', action='write')
!$cppc end execute
    end if
    if (rank == 0 .and. step >= 3) write (31, *) step, total
  end subroutine
end program open_on_condition
