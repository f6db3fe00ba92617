! Statements of input and output call procedures of types, and the assignment of a structure calls those of its components.
! reports: assigned, printed, taken
module points
  implicit none
  integer :: printed = 0, taken = 0, assigned = 0, other = 0
  type point
    integer :: x = 0
  contains
    procedure :: show
    procedure :: take
    generic :: write(formatted) => show
    generic :: read(formatted) => take
  end type point
  type inner
    integer :: x = 0
  contains
    procedure :: assign
    generic :: assignment(=) => assign
  end type inner
  type outer
    type(inner) :: i
    integer :: k = 0
  end type outer
contains
  subroutine show(dtv, unit, iotype, v_list, iostat, iomsg)
    class(point), intent(in) :: dtv
    integer, intent(in) :: unit, v_list(:)
    character(*), intent(in) :: iotype
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    printed = printed + 1
    write (unit, '(i4,i4)', iostat=iostat, iomsg=iomsg) dtv%x, printed
  end subroutine show
  subroutine take(dtv, unit, iotype, v_list, iostat, iomsg)
    class(point), intent(inout) :: dtv
    integer, intent(in) :: unit, v_list(:)
    character(*), intent(in) :: iotype
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    taken = taken + 1
    read (unit, '(i4)', iostat=iostat, iomsg=iomsg) dtv%x
  end subroutine take
  subroutine assign(l, r)
    class(inner), intent(inout) :: l
    type(inner), intent(in) :: r
    assigned = assigned + 1
    l%x = r%x + assigned
  end subroutine assign
end module points

program main
  use points
  implicit none
  type(point) :: p
  type(outer) :: a, b
  integer :: i
  character(20) :: text
!$cppc init
  other = 1
!$cppc register(p, a, b)
  do i = 1, 9
!$cppc checkpoint
    write (text, '(dt)') p
    read (text, '(dt)') p
    a = b
    b = a
  end do
  print *, a%k, b%k, taken
!$cppc shutdown
end program main
