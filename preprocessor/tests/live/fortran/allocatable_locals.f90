! reports: kept
program scratch
  implicit none
  real(8), allocatable :: a(:)
  integer :: i
  allocate (a(3))
  a = 1
  !$cppc init
  !$cppc register(a)
  do i = 1, 4
    !$cppc checkpoint
    call grow(i)
  end do
  print *, a
  !$cppc shutdown
contains
  subroutine grow(i)
    integer, intent(in) :: i
    real(8), allocatable :: old(:)
    real(8), allocatable, save :: kept(:)
    old = a
    if (.not. allocated(kept)) then
      allocate (kept(3))
      kept = 0
    end if
    kept(1) = kept(1) + i
    deallocate (a)
    allocate (a(size(old) + 1))
    a(:size(old)) = old
    a(size(a)) = i + kept(1)
  end subroutine grow
end program scratch
