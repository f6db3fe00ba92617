! Exercises: allocatables of a module, of a procedure with SAVE, of one without, and as dummies, which
! are allocated and given back below the place where they are registered.
module store
  implicit none
  real(8), allocatable, save :: table(:)
  integer, allocatable :: index(:, :)
contains
  subroutine make(n)
    integer, intent(in) :: n
    integer :: k
    allocate (table(n))
    table = [(k * 0.25d0, k = 1, n)]
    if (.not. allocated(index)) then
      allocate (index(2, n))
      index = n
    end if
    !$cppc register(table, index)
  end subroutine make

  subroutine drop()
    !$cppc unregister(table)
    deallocate (table)
  end subroutine drop
end module store

program everywhere
  use store
  implicit none
  integer :: i, got
  real(8), allocatable :: mine(:)
  !$cppc init
  call make(3)
  !$cppc register(mine, i)
  do i = 1, 6
    if (i == 4) then
      call drop()
      call make(5)
    end if
    call resize(mine, i)
    !$cppc checkpoint
    table = table * 1.5d0 + mine(i)
    index(1, 2) = index(1, 2) + size(mine)
    got = local(i)
    print '(3i4, 2(1x, z16.16), 2i6)', i, size(table), size(mine), sum(table), sum(mine), index(1, 2), got
  end do
  !$cppc shutdown
contains
  subroutine resize(a, n)
    real(8), allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    !$cppc register(a)
    if (allocated(a)) deallocate (a)
    !$cppc checkpoint
    allocate (a(n:2 * n))
    a = n
  end subroutine resize

  integer function local(n)
    integer, intent(in) :: n
    integer, allocatable :: work(:)
    integer, allocatable, save :: kept(:)
    if (.not. allocated(kept)) allocate (kept(2), source=0)
    allocate (work(n), source=n)
    !$cppc register(work, kept)
    kept(1) = kept(1) + sum(work)
    !$cppc checkpoint
    local = kept(1)
  end function local
end program everywhere
