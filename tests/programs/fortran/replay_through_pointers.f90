! Exercises: arguments that are reached through pointers and allocatables, in calls that have returned and are repeated for
! the execute block below them. In a restart the pointers were never set, are null, or lead to something shorter.
module places
  implicit none
  type node
    integer :: k = 0
    integer, pointer :: val(:) => null()
    integer, allocatable :: al(:)
    character(len=5) :: word = ' '
  end type
  integer :: total = 0, table(9) = 0
  integer, allocatable :: shrinks(:)
  integer, pointer :: moves(:) => null()
contains
  subroutine changes(a)
    integer, intent(inout) :: a
    !$cppc execute
    table(1) = 7
    !$cppc end execute
    total = total + a
  end subroutine
  subroutine unknown(a)
    integer :: a
    !$cppc execute capture(a)
    table(a) = table(a) + 3
    !$cppc end execute
    total = total + a
  end subroutine
  subroutine reads(a)
    integer, intent(in) :: a
    !$cppc execute capture(a)
    table(a) = table(a) + 5
    !$cppc end execute
    total = total + a
  end subroutine
  subroutine several(n, a)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n)
    !$cppc execute
    table(3) = 9
    !$cppc end execute
    total = total + sum(a)
  end subroutine
  subroutine shaped(a)
    integer, intent(inout) :: a(:)
    integer :: copy(size(a))
    copy = a
    !$cppc execute
    table(4) = 10
    !$cppc end execute
    total = total + sum(copy)
  end subroutine
  subroutine perhaps(a)
    integer, intent(in), optional :: a(:)
    !$cppc execute
    table(5) = table(5) + 1
    !$cppc end execute
    if (present(a)) total = total + sum(a)
  end subroutine
  subroutine one_perhaps(a)
    integer, intent(in), optional :: a
    !$cppc execute
    table(8) = table(8) + 1
    !$cppc end execute
    if (present(a)) total = total + a
  end subroutine
  subroutine spelled(word)
    character(len=*), intent(in) :: word
    integer :: n
    n = len_trim(word)
    !$cppc execute capture(n)
    table(6) = table(6) + n
    !$cppc end execute
    total = total + n
  end subroutine
  integer function doubled(a)
    integer, intent(inout) :: a
    !$cppc execute
    table(7) = 2
    !$cppc end execute
    doubled = 2 * a
  end function
  subroutine work()
    integer, pointer :: p(:), one, null
    integer, allocatable, target :: memory(:)
    type(node), pointer :: q
    type(node) :: here
    allocate (memory(4))
    memory = [1, 2, 3, 4]
    p => memory
    one => memory(2)
    nullify (null)
    allocate (q)
    allocate (q%val(3), q%al(3), here%al(4))
    q%k = 3
    q%val = [5, 4, 2]
    q%al = 6
    q%word = 'five'
    here%al = 1
    call changes(p(2))
    call unknown(p(3))
    call reads(p(3))
    call reads(p(p(2)) + 1)
    call changes(one)
    call several(4, p)
    call several(2, q%al(1))
    call several(2, here%al(2))
    call shaped(p(2:3))
    call shaped(p(4:1:-2))
    call changes(q%k)
    call unknown(q%val(2))
    call several(3, q%val)
    call shaped(q%al)
    call shaped(here%al)
    call unknown(here%al(2))
    call perhaps(p)
    call perhaps(here%al(:2))
    call one_perhaps(one)
    call one_perhaps(null)
    call spelled(q%word)
    total = total + doubled(q%val(3)) + doubled(p(doubled(one)))
    deallocate (q%val)
    deallocate (q)
    nullify (p, one)
  end subroutine
  subroutine program_wide()
    call changes(shrinks(8))
    call unknown(shrinks(9))
    call shaped(shrinks(2:9))
    call unknown(moves(2))
    call several(5, moves)
    deallocate (shrinks)
    allocate (shrinks(2))
    shrinks = 2
    nullify (moves)
  end subroutine
end module
program replay_through_pointers
  use places
  implicit none
  integer, target :: five(5)
  integer :: i
  five = [6, 7, 8, 9, 1]
  !$cppc init
  allocate (shrinks(9))
  shrinks = 8
  moves => five
  !$cppc register(total, five, shrinks, moves)
  call work()
  call program_wide()
  do i = 1, 3
    !$cppc checkpoint
    total = total + dot_product(table, [1, 2, 3, 4, 5, 6, 7, 8, 9]) * i + sum(shrinks)
  end do
  !$cppc shutdown
  print *, total, associated(moves)
end program
