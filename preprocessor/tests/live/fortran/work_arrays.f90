! Saved work arrays that a procedure fills as far as it reads them. It also reads allocatable arrays of a module, and an array
! that it does not fill.
! reports: kept
! all: kept
module work_arrays
  implicit none
  integer, parameter :: width = 32
  integer :: total = 0
  integer, allocatable :: numbers(:)
  integer, pointer :: others(:) => null()
contains
  subroutine add_up(list, n)
    integer, intent(in) :: n
    integer, dimension(1:width), intent(in) :: list
    integer :: i
    do i = 1, n
      total = total + list(i)
    end do
  end subroutine add_up

  subroutine sweep(count)
    integer, intent(in) :: count
    integer, dimension(1:width), save :: here, below, kept
    integer :: first, n, i
    do first = 1, count, width
      n = min(width, count - first + 1)
      do i = 1, n
        here(i) = numbers(first + i - 1)
        below(i) = others(i)
      end do
      call add_up(below, n)
      do i = 1, n
        total = total + here(i) + kept(i)
        kept(i) = here(i)
      end do
    end do
  end subroutine sweep
end module work_arrays

program main
  use work_arrays
  implicit none
  integer :: step
!$cppc init
  allocate (numbers(100), others(width))
  numbers = 3
  others = 2
!$cppc register(numbers, others, total)
  do step = 1, 10
!$cppc checkpoint
    call sweep(100)
    print *, total
  end do
!$cppc shutdown
end program main
