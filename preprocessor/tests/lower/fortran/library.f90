subroutine exchange(a, n, other)
  use mpi
  use, intrinsic :: iso_c_binding
  integer :: n, other, ierr, status(MPI_STATUS_SIZE)
  real(8), target :: a(n, 4)
  real(8), pointer :: p(:)
  type(c_ptr) :: address
  call MPI_Send(a(1, 2), n, MPI_DOUBLE_PRECISION, other, 7, MPI_COMM_WORLD, ierr)
  call random_number(a)
  address = c_loc(a(1, 3))
  call c_f_pointer(address, p, [n])
  p(1) = mpi_wtime()
end subroutine
