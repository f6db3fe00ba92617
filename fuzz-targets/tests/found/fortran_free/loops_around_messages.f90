program nest
  integer s(4000), q(3000)
  call mpi_init(e)
  call mpi_comm_rank(mpi_comm_world, ir, e)
  do k = 1, 190
    s(k) = k
    q(k) = ir + k
  end do
  do k = 1, 100
  do i0 = 1, ir
  do i1 = 1, s(i0)
  do i2 = 1, s(i1)
  do i3 = 1, s(i2)
  do i4 = 1, s(i3)
  do i5 = 1, s(i4)
  do i6 = 1, s(i5)
  do i7 = 1, s(i6)
  do i8 = 1, s(i7)
  do i9 = 1, s(i8)
  do i10 = 1, s(i9)
  s(i2) = i3 + s(i1)
  call mpi_bcast(s, 10, mpi_integer, 0, mpi_comm_world, e)
  q(i10) = s(i10) + 1
  end do
  q(i9) = s(i9) + 1
  end do
  q(i8) = s(i8) + 1
  end do
  q(i7) = s(i7) + 1
  end do
  q(i6) = s(i6) + 1
  end do
  q(i5) = s(i5) + 1
  end do
  q(i4) = s(i4) + 1
  end do
  q(i3) = s(i3) + 1
  end do
  q(i2) = s(i2) + 1
  end do
  q(i1) = s(i1) + 1
  end do
  q(i0) = s(i0) + 1
  end do
    call mpi_barrier(mpi_comm_world, e)
  end do
  print *, s(1)
  call mpi_finalize(e)
end program
!
!
!
!
!
!

