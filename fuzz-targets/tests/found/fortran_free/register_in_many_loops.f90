program many
  type part
    real :: u(2)
  end type part
  type(part) :: own(6, 6, 6, 6, 6, 6, 6, 6)
!$cppc init
  do i1 = 1, 6
  do i2 = 1, 6
  do i3 = 1, 6
  do i4 = 1, 6
  do i5 = 1, 6
  do i6 = 1, 6
  do i7 = 1, 6
  do i8 = 1, 6
!$cppc register(own(i8, i7, i6, i5, i4, i3, i2, i1)%u)
  end do
  end do
  end do
  end do
  end do
  end do
  end do
  end do
!$cppc checkpoint
  print *, own(1, 1, 1, 1, 1, 1, 1, 1)%u
!$cppc shutdown
end program many
