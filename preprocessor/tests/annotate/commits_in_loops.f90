! A datatype is created in a variable, completed, and copied to an array.
subroutine make_types(types)
  use mpi
  implicit none
  integer, intent(out) :: types(3)
  integer :: k, new, ierr
  do k = 1, 3
    call mpi_type_contiguous(2 * k, MPI_DOUBLE_PRECISION, new, ierr)
    call mpi_type_commit(new, ierr)
    types(k) = new
  end do
end subroutine make_types

program main
  use mpi
  implicit none
  integer :: types(3), i, ierr
  real(8) :: a(6)
  call mpi_init(ierr)
  call make_types(types)
  a = 1
  do i = 1, 8
!$cppc checkpoint
    call mpi_bcast(a, 1, types(mod(i, 3) + 1), 0, MPI_COMM_WORLD, ierr)
    a = a + i
  end do
  print *, a
  call mpi_finalize(ierr)
end program main
