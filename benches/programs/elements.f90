! A checkpoint that does not dump, in a program that registers each element of an array separately.
! Prints nanoseconds for each checkpoint call. The argument is the number of elements.
program elements
  implicit none
  type tile
    real(8), pointer :: values(:) => null()
  end type
  integer, parameter :: calls = 2000000
  type(tile), allocatable :: tiles(:)
  integer :: count, each, step
  integer(8) :: before, after, rate
  character(len=20) :: argument
  call get_command_argument(1, argument)
  read (argument, *) count
  allocate (tiles(count))
!$cppc init
  do each = 1, count
    allocate (tiles(each)%values(4))
    tiles(each)%values = each
!$cppc register(tiles(each)%values)
  end do
  call system_clock(before, rate)
  do step = 1, calls
!$cppc checkpoint
  end do
  call system_clock(after)
!$cppc shutdown
  print '(f0.3)', real(after - before, 8) / rate * 1d9 / calls
end program
