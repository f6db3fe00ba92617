! No request is open at a checkpoint. The persistent request `always` exists before it.
! reports: always
! all: always, at_once, ghost
program requests
  implicit none
  integer :: i, ierr, always, status(6)
  integer :: at_once(2)
  integer, parameter :: world = 0, real8 = 17
  double precision :: ghost(4), mine(4)
  common /exchange/ at_once
  call mpi_init(ierr)
!$cppc init
  mine = 1
  call mpi_send_init(mine, 4, real8, 0, 1, world, always, ierr)
!$cppc register(i, mine)
  do i = 1, 8
!$cppc checkpoint
     at_once(1 + mod(i, 2)) = 1000 * i
     call mpi_irecv(ghost, 4, real8, 0, 1, world, at_once(1 + mod(i, 2)), ierr)
     call mpi_start(always, ierr)
     call mpi_wait(always, status, ierr)
     call mpi_wait(at_once(1 + mod(i, 2)), status, ierr)
     mine = mine + ghost
  end do
  print *, mine
!$cppc shutdown
  call mpi_finalize(ierr)
end program
