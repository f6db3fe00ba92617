! A list of 8,000 nodes, a list of arrays, and a tree that is a dummy argument. The lists are variables of a module, because
! compilers call themselves for each node when they free a list.

module long_list
  implicit none (type)
  type link
    integer :: value = 0
    type(link), allocatable :: next
  end type link
  type chunk
    integer, allocatable :: values(:)
    type(chunk), allocatable :: more(:)
  end type chunk
  ! The analysis once followed all paths of such a type, and needed all memory.
  type wide
    integer :: id = 0
    type(wide), allocatable :: a, b, c
  end type wide
  type(link), allocatable, target :: list
  type(chunk), allocatable, target :: chunks(:)
contains
  subroutine append(count, step)
    integer, intent(in) :: count, step
    type(link), allocatable :: new
    integer :: i
    do i = 1, count
      allocate (new)
      new%value = i * step
      call move_alloc(list, new%next)
      call move_alloc(new, list)
    end do
  end subroutine append

  subroutine append_chunk(step)
    integer, intent(in) :: step
    type(chunk), allocatable :: new(:)
    allocate (new(-step:1))
    new(0)%values = [step, 2 * step]
    call move_alloc(chunks, new(0)%more)
    call move_alloc(new, chunks)
  end subroutine append_chunk

  subroutine insert(x, id)
    type(wide), intent(inout) :: x
    integer, intent(in) :: id
    type(wide), allocatable :: rest
    call move_alloc(x%a, rest)
    allocate (x%a)
    x%a%id = id
    call move_alloc(rest, x%a%b)
    call move_alloc(x%c, x%a%c)
    if (mod(id, 2) == 0) then
      allocate (x%c)
      x%c%id = 10 * id
    end if
  end subroutine insert

  recursive integer function wide_total(x) result(sum_of)
    type(wide), intent(in) :: x
    sum_of = x%id
    if (allocated(x%a)) sum_of = sum_of + 2 * wide_total(x%a)
    if (allocated(x%b)) sum_of = sum_of + 3 * wide_total(x%b)
    if (allocated(x%c)) sum_of = sum_of + 5 * wide_total(x%c)
  end function wide_total

  subroutine solve(x)
    type(wide), intent(inout) :: x
    integer :: step
!$cppc register(x)
    do step = 1, 3
!$cppc checkpoint
      call insert(x, step)
      print '(a,i8)', 'wide', wide_total(x)
    end do
  end subroutine solve

  integer(8) function total() result(sum_of)
    type(link), pointer :: at
    sum_of = 0
    at => list
    do
      sum_of = mod(sum_of * 3 + at%value, 1000000007_8)
      if (.not. allocated(at%next)) exit
      at => at%next
    end do
  end function total

  integer function chunk_total() result(sum_of)
    type(chunk), pointer :: at(:), next(:)
    sum_of = 0
    at => chunks
    do
      sum_of = sum_of + sum(at(0)%values) - 3 * lbound(at, 1)
      if (.not. allocated(at(0)%more)) exit
      next => at(0)%more
      at => next
    end do
  end function chunk_total
end module long_list

program register_recursive_long
  use long_list
  implicit none
  type(wide) :: tree
  integer :: step
!$cppc init
!$cppc register(list, chunks)
  do step = 1, 4
!$cppc checkpoint
    call append(2000, step)
    call append_chunk(step)
    print '(i3,i12,i8)', step, total(), chunk_total()
  end do
  call solve(tree)
!$cppc shutdown
end program register_recursive_long
