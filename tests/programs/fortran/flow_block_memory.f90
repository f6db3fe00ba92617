! Exercises: registered arrays of a BLOCK, whose memory is free at the checkpoints after the BLOCK.
module types
  implicit none
  type tile
    real(8), allocatable :: u(:)
  end type tile
end module types

program block_memory
  use types
  implicit none
  character(len=:), allocatable :: text
  real(8), allocatable :: work(:)
  integer :: step, total
  !$cppc init
  total = 1
  text = 'go'
  !$cppc register(total, text, work)
  do step = 1, 4
    outer: block
      real(8), allocatable :: a(:)
      type(tile), allocatable :: tiles(:)
      integer :: list(3)
      allocate (a(2), source=1.5d0)
      allocate (tiles(2))
      allocate (tiles(2)%u(step), source=2d0)
      list = step
      !$cppc register(a, tiles, list)
      if (step == 3) exit outer
      !$cppc checkpoint
      a = [a, 1d0*step]
      total = total + int(sum(a) + sum(tiles(2)%u)) + sum(list)
    end block outer
    allocate (work(2), source=0d0)
    text = text // 'abc'
    !$cppc checkpoint
    call inner(step)
    deallocate (work)
    block
      real(8), allocatable :: a(:)
      integer, save :: calls = 0
      allocate (a(step), source=0.5d0)
      calls = calls + 1
      !$cppc register(a, calls)
      !$cppc checkpoint
      total = total + int(sum(a)) + calls
    end block
    print *, step, total, text
  end do
  text = 'ab' // text
  print *, total, text
  !$cppc shutdown
contains
  subroutine inner(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, 2
      block
        real(8), allocatable :: b(:)
        real(8) :: fixed(n)
        allocate (b(n + i), source=0.25d0)
        fixed = n
        !$cppc register(b, fixed)
        if (i == 2) cycle
        !$cppc checkpoint
        total = total + int(sum(b) + sum(fixed))
      end block
      total = total + 1
      !$cppc checkpoint
    end do
    !$cppc checkpoint
    print *, n, total
  end subroutine inner
end program block_memory
