! Pointers of derived types that were never set. The program does not use them. A restart gives them the same value.
!
! compilers: gfortran
module undefined_pointers
  implicit none
  type part
    integer :: number
    real(8), pointer :: values(:)
    type(part), pointer :: next
    integer, pointer :: one
  end type part
end module undefined_pointers

program graph_undefined
  use undefined_pointers
  implicit none
  type(part) :: parts(4)
  type(part), pointer :: list
  integer(1), parameter :: pattern(1) = -7_1
  integer :: step, i
!$cppc init
  parts = transfer(spread(pattern, 1, 4*int(storage_size(parts)/8)), parts)
  parts%number = 0
  allocate (list)
  list%number = 1
  nullify (list%values, list%one, list%next)
!$cppc register(parts, list)
  do step = 1, 4
!$cppc checkpoint
    if (step == 2) then
      allocate (parts(2)%values(3))
      parts(2)%values = 2
    end if
    if (step > 1) parts(2)%values = parts(2)%values*1.5d0
    if (step == 3) parts(4)%next => list
    list%number = list%number*3
    do i = 1, 4
      parts(i)%number = parts(i)%number + i*list%number
    end do
    if (step > 1) print '(a, 3f10.4)', 'values', parts(2)%values
    if (step > 2) print '(a, i0)', 'next ', parts(4)%next%number
    print '(4i8)', parts%number
  end do
!$cppc shutdown
end program graph_undefined
