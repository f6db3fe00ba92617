! Random work on units: SEED says which, STEPS how long. Each step opens, writes, reads, places or closes something, as the
! documents allow: what is overwritten is not read.
!
!   DIE=N    the process dies before the N-th operation that it does itself
! writes: files
! compilers: gfortran
module work
  implicit none
  integer, parameter :: slots = 5
  integer(8) :: rng
  integer :: operations = 0, die = -1
contains
  integer function below(limit)
    integer, intent(in) :: limit
    rng = ieor(rng, ishft(rng, 13))
    rng = ieor(rng, ishft(rng, -7))
    rng = ieor(rng, ishft(rng, 17))
    below = int(mod(ishft(rng, -12), int(limit, 8)))
  end function below

  integer function from_environment(name, otherwise)
    character(len=*), intent(in) :: name
    integer, intent(in) :: otherwise
    character(len=20) :: text
    integer :: status
    from_environment = otherwise
    call get_environment_variable(name, text, status=status)
    if (status == 0) read (text, *) from_environment
  end function from_environment

  subroutine operation
    operations = operations + 1
    if (operations == die) call kill(getpid(), 9)
  end subroutine operation

  subroutine make_input
    integer :: i
    logical :: is_there
    inquire (file='input.txt', exist=is_there)
    if (is_there) return
    open (9, file='making')
    do i = 1, 150
      write (9, '(3i6)') i, mod(i * 7919, 10007), mod(i * 31, 101)
    end do
    close (9)
    call rename('making', 'input.txt')
  end subroutine make_input

  ! Something onto a unit, by what it is.
  subroutine put(unit, kind)
    integer, intent(in) :: unit, kind
    integer :: i, n
    character(len=12) :: text
    n = below(6)
    call operation
    select case (kind)
    case (1)
      do i = 1, n
        write (unit, '(a, i8)') 'line', below(100000)
      end do
      if (below(3) == 0) write (unit, '(i4, a)', advance='no') below(1000), ' and '
    case (2)
      write (unit) (below(1000), i = 1, n)
    case (3)
      write (unit) (below(1000), i = 1, n)
      if (below(3) == 0) write (unit, pos=1 + 4 * below(60)) below(1000)
    case (4)
      write (unit, rec=1 + below(40)) below(1000), below(1000)
    case (5)
      write (unit, '(a, i0)') 'text ', below(100000)
      if (below(2) == 0) write (unit, '(i3)', advance='no') below(100)
    end select
    write (text, '(i12)') n
    if (below(4) == 0) flush (unit)
    call operation
  end subroutine put
end module work

program io_random_units
  use work
  implicit none
  integer :: kind(slots), unit(slots), i, k, mode, number, more, status, steps, generation
  integer(8) :: total
  character(len=24) :: name
  logical :: is_there

  call make_input
  rng = 88172645463325252_8 + 7919_8 * from_environment('SEED', 1)
  do i = 1, 20
    number = below(2)
  end do
  steps = from_environment('STEPS', 60)
  die = from_environment('DIE', -1)
  kind = 0
  total = 0
!$cppc init
!$cppc execute file(10, 'input.txt')
  open (10, file='input.txt', status='old', action='read')
!$cppc end execute
!$cppc register(kind, rng, total)
  do i = 1, steps
!$cppc checkpoint
    k = 1 + below(slots)
    generation = below(3)
    mode = below(3)
    write (name, '(a, i0, a, i0)') 'unit-', k, '-', generation
    select case (below(10))
    case (0, 1)
      if (kind(k) == 0) then
        call operation
        select case (k)
        case (1)
          if (mode == 0) then
!$cppc execute capture(name) file(21, name)
            open (21, file=name, status='replace')
!$cppc end execute
          else
!$cppc execute capture(name) file(21, name)
            open (21, file=name, position='append')
!$cppc end execute
          end if
          unit(k) = 21
        case (2)
          if (mode == 0) then
!$cppc execute capture(name) file(22, name)
            open (22, file=name, status='replace', form='unformatted')
!$cppc end execute
          else
!$cppc execute capture(name) file(22, name)
            open (22, file=name, position='append', form='unformatted')
!$cppc end execute
          end if
          unit(k) = 22
        case (3)
!$cppc execute capture(name) file(23, name)
          open (23, file=name, access='stream', status='replace')
          write (23) 'HEAD'
!$cppc end execute
          unit(k) = 23
        case (4)
          ! The library is asked before the block opens it.
          inquire (file=name, exist=is_there)
          if (is_there) then
!$cppc execute capture(name) file(24, name)
            open (24, file=name, access='direct', recl=8, status='old')
!$cppc end execute
          else
!$cppc execute capture(name) file(24, name)
            open (24, file=name, access='direct', recl=8, status='new')
!$cppc end execute
          end if
          unit(k) = 24
        case (5)
!$cppc execute capture(name) file(unit(5), name)
          open (newunit=unit(5), file=name, position='append')
!$cppc end execute
        end select
        kind(k) = k
        call operation
      end if
    case (2)
      if (kind(k) /= 0) then
        call operation
        if (k == 5) then
          close (unit(5))
        else
          close (20 + k)
        end if
        kind(k) = 0
        call operation
      end if
    case (3)
      read (10, *, iostat=status) number, more
      if (status /= 0) then
        rewind (10)
      else
        total = total * 3 + number + more
      end if
    case (4)
      if (below(3) == 0) rewind (10)
      status = 0
      do number = 1, below(5)
        read (10, '(i6)', iostat=status) more
        if (status /= 0) exit
        total = total * 5 + more
      end do
      if (status /= 0) rewind (10)
    case default
      if (kind(k) /= 0) then
        if (k == 5) then
          call put(unit(5), 5)
        else
          call put(20 + k, kind(k))
        end if
      end if
    end select
  end do
  do k = 1, 4
    if (kind(k) /= 0) close (20 + k)
  end do
  if (kind(5) /= 0) close (unit(5))
  open (9, file='sum')
  write (9, *) total, rng
  close (9)
!$cppc shutdown
end program io_random_units
