! A list with pointers in both directions. Nodes are added and removed between the checkpoints.
!
! compilers: gfortran
module lists
  implicit none
  type node
    integer :: value
    real(8), pointer :: data(:) => null()
    character(len=:), allocatable :: name
    type(node), pointer :: next => null()
    type(node), pointer :: prev => null()
  end type node
  type(node), pointer :: head => null()
  type(node), pointer :: tail => null()
contains
  subroutine append(v)
    integer, intent(in) :: v
    type(node), pointer :: n
    integer :: i
    allocate (n)
    n%value = v
    allocate (n%data(-1:mod(v, 4)))
    n%data = [(0.5d0*v + i, i=-1, mod(v, 4))]
    n%name = repeat('x', mod(v, 7))//'e'
    if (associated(tail)) then
      tail%next => n
      n%prev => tail
    else
      head => n
    end if
    tail => n
  end subroutine
  subroutine drop()
    type(node), pointer :: n
    n => head
    head => n%next
    nullify (head%prev)
    deallocate (n%data)
    deallocate (n)
  end subroutine
  function total() result(s)
    real(8) :: s
    type(node), pointer :: p
    s = 0
    p => head
    do while (associated(p))
      s = s + p%value + sum(p%data) + len(p%name) + lbound(p%data, 1)
      if (associated(p%next)) then
        if (.not. associated(p%next%prev, p)) s = s + 1000000
      end if
      p => p%next
    end do
  end function
end module
program main
  use lists
  implicit none
  integer :: step
  real(8) :: acc
  type(node), pointer :: cur
!$cppc init
  acc = 0
  cur => null()
!$cppc register(head, tail, cur, acc)
  call append(1)
  cur => head
  do step = 2, 14
!$cppc checkpoint
    call append(step)
    if (mod(step, 3) == 0) call drop()
    cur => head%next
    acc = acc*0.9d0 + total() + cur%value
    print '(i0, f16.6)', step, acc
  end do
!$cppc shutdown
end program
