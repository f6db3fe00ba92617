! A register of one field of all elements saves no other field.
! In a large array, this is not reported by default.
! reports: v
! all: v, z
program fields_of_elements
  implicit none
  type cell
    real(8) :: rate(3)
    integer :: count
  end type
  type(cell) :: v(3), w(3), z(65)
  integer :: i
  !$cppc init
  do i = 1, 3
    v(i)%rate = 2.5d0
    v(i)%count = 0
    w(i)%rate = 1.5d0
    w(i)%count = 0
    !$cppc register(v(i)%count)
    !$cppc register(w(i)%count, w(i)%rate)
  end do
  do i = 1, 65
    z(i)%rate = 3.5d0
    z(i)%count = 0
    !$cppc register(z(i)%count)
  end do
  do i = 1, 4
    !$cppc checkpoint
    v(2)%count = v(2)%count + i
    w(2)%count = w(2)%count + i
  end do
  !$cppc shutdown
  print *, v(1)%rate, v(3)%count, w(1)%rate, w(3)%count, z(2)%rate, z(65)%count
end program
