! reports: part
! all: counted, part
program fields
  implicit none
  type item
    integer :: count = 0
    real(8) :: total = 0, more(2) = 0
  end type item
  type(item), save :: whole(9), counted(9), part(9), grid(3, 4)
  integer :: i, k, n
  n = 8 + command_argument_count()
!$cppc init
!$cppc register(whole(:)%total, whole(1:9)%more, counted(1:n)%total, part(3:7)%total, grid(:, :)%total)
  do i = 1, 5
!$cppc checkpoint
    do k = 1, 9
      whole(k)%total = whole(k)%total + i
      whole(k)%more(2) = whole(k)%more(2) - i
      counted(k)%total = counted(k)%total + i
      part(k)%total = part(k)%total + i
      grid(mod(k, 3) + 1, mod(k, 4) + 1)%total = grid(mod(k, 3) + 1, mod(k, 4) + 1)%total + i
    end do
  end do
!$cppc shutdown
  do k = 1, 9
    print *, whole(k)%total, whole(k)%more(2), counted(k)%total, part(k)%total, grid(2, 3)%total
  end do
end program fields
