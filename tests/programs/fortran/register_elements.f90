! Elements that are registered in a loop: each has a register of its own, with its subscripts in its name.

module tiles_of_field
  implicit none
  type field
    real(8), allocatable :: u(:,:)
    real(8), pointer :: edge(:) => null()
    integer :: sweeps = 0
    real(8) :: rest(2) = 0
  end type field
  type tile
    type(field) :: inner
    integer :: width = 0
  end type tile
  type(tile), allocatable :: tiles(:)
  type(field) :: board(0:1, 2)
  integer :: shift(4) = [3, 1, 4, 2]
contains
  subroutine keep
    integer :: t, i, j
    do t = 1, size(tiles)
!$cppc register(tiles(shift(t))%inner%u, tiles(t)%inner%edge, tiles(t)%width)
!$cppc register(tiles(t)%inner%rest, tiles(t)%inner%sweeps)
      continue
    end do
    do j = 1, 2
      do i = 0, 1
!$cppc register(board(i, j)%u, board(i, j)%sweeps)
        continue
      end do
    end do
  end subroutine keep

  subroutine widen(t)
    integer, intent(in) :: t
    integer :: width
    width = tiles(t)%width + 1
    deallocate (tiles(t)%inner%u)
    allocate (tiles(t)%inner%u(0:width, 2))
    tiles(t)%inner%u = t + 0.5d0 * width
    tiles(t)%width = width
  end subroutine widen
end module tiles_of_field

program register_elements
  use tiles_of_field
  implicit none
  type(field) :: own(3)
  integer :: step, t, n, least
  real(8) :: total
  allocate (tiles(4))
!$cppc init
!$cppc execute
  call shape_of_all
!$cppc end execute
  call keep
  do n = 1, 3
!$cppc register(own(n)%u, own(n)%rest(1))
    continue
  end do
  least = 1
!$cppc register(least)
  do step = 1, 6
    do t = least, 4
!$cppc checkpoint
      call change(step, t)
    end do
    if (step == 3) then
!$cppc unregister(own(step)%u)
      deallocate (own(step)%u)
      least = 3
    end if
    total = sum(own(1)%u) + sum(own(2)%u) + sum(own%rest(1))
    print '(a,i2,f12.4)', 'step', step, total
  end do
  do t = 1, 4
    print '(a,i2,2i4,4f12.4)', 'tile', t, tiles(t)%width, tiles(t)%inner%sweeps, sum(tiles(t)%inner%u), &
        sum(tiles(t)%inner%edge), tiles(t)%inner%rest
  end do
  do t = 1, 2
    print '(a,i2,2i4,2f12.4)', 'board', t, board(:, t)%sweeps, sum(board(0, t)%u), sum(board(1, t)%u)
  end do
!$cppc shutdown
contains
  subroutine shape_of_all
    integer :: i, j
    do i = 1, 4
      tiles(i)%width = i
      allocate (tiles(i)%inner%u(0:i, 2), tiles(i)%inner%edge(i))
      tiles(i)%inner%u = i
      tiles(i)%inner%edge = 10 * i
    end do
    do j = 1, 2
      do i = 0, 1
        allocate (board(i, j)%u(j, i + 1))
        board(i, j)%u = 1
      end do
    end do
    do i = 1, 3
      allocate (own(i)%u(i, 2))
      own(i)%u = 0
    end do
  end subroutine shape_of_all

  subroutine change(step, t)
    integer, intent(in) :: step, t
    associate (inner => tiles(t)%inner)
      inner%u = inner%u * 1.25d0 + step
      inner%edge = inner%edge + t
      inner%sweeps = inner%sweeps + 1
      inner%rest(mod(step, 2) + 1) = inner%rest(mod(step, 2) + 1) + 0.25d0 * t
    end associate
    if (mod(step + t, 3) == 0) call widen(t)
    board(mod(t, 2), 1 + t / 3)%sweeps = board(mod(t, 2), 1 + t / 3)%sweeps + step
    board(mod(step, 2), 2)%u = board(mod(step, 2), 2)%u + t
    own(1 + mod(step, 2))%u = own(1 + mod(step, 2))%u + 0.5d0 * t
    own(1 + mod(t, 3))%rest(1) = step * t
  end subroutine change
end program register_elements
