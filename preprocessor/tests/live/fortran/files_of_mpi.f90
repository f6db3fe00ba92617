! Files of MPI in Fortran: the position of `file` is lost. That of `moved` is set after the checkpoint.
! reports: mpi_file_write
program main
  implicit none
  integer, parameter :: world = 0, write_only = 4, null = 0, seek_set = 600, real8 = 17, ignore = 0
  integer :: step, file, moved, ierr
  integer(8) :: place
  double precision :: x
  call mpi_init(ierr)
  x = 1
  !$cppc init
  !$cppc execute
  call mpi_file_open(world, 'one', write_only, null, file, ierr)
  call mpi_file_open(world, 'two', write_only, null, moved, ierr)
  !$cppc end execute
  !$cppc register(step, x)
  do step = 1, 10
    !$cppc checkpoint
    call mpi_file_write(file, x, 1, real8, ignore, ierr)
    place = 8*step
    call mpi_file_seek(moved, place, seek_set, ierr)
    call mpi_file_write(moved, x, 1, real8, ignore, ierr)
    x = x*0.5d0
  end do
  call mpi_file_close(file, ierr)
  call mpi_file_close(moved, ierr)
  !$cppc shutdown
  call mpi_finalize(ierr)
end program main
