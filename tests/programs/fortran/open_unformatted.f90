! Exercises: unformatted files: results that are written, one record rewritten from time to time; an input; records of
! direct access; in a procedure that opens one file after the other, some of which are closed again; files that must be new,
! one more in each step; and one that is rewound and written anew.
! writes: files
! rehearse: never (each step opens a file that must not exist, so a second run fails)
! compilers: gfortran
module outputs
  implicit none
  integer :: units(3) = -1
contains
  subroutine open_part(number)
    integer, intent(in) :: number
    character(len=12) :: name
    integer :: unit
    write(name, '(a, i0, a)') 'part', number, '.bin'
!$cppc execute capture(number, name) file(units(number), name)
    open(newunit=unit, file=name, form='unformatted', status='unknown')
    rewind(unit)
    units(number) = unit
    write(unit) 'begin', number
!$cppc end execute
  end subroutine open_part
end module outputs

program open_unformatted
  use outputs
  implicit none
  integer :: i, k, record, fresh
  character(len=12) :: name
  real(8) :: x(40), y(3), total
  logical :: is_open

  call make_input
  x = 0
!$cppc init
  do i = 1, 3
    call open_part(i)
  end do
  close(units(2))
!$cppc execute file(23, 'closed.bin')
  open(23, file='closed.bin', form='unformatted', status='replace')
!$cppc end execute
  write(23) x(1) * 0
  close(23)
!$cppc execute file(21, 'input.bin') file(22, 'direct.bin')
  open(21, file='input.bin', form='unformatted', action='read')
  open(22, file='direct.bin', form='unformatted', access='direct', recl=24, status='replace')
!$cppc end execute
!$cppc execute file(24, 'newest.bin')
  open(24, file='newest.bin', form='unformatted', status='replace')
!$cppc end execute
  total = 0
!$cppc register(i, total)
  do i = 1, 18
!$cppc allow(C0713)
!$cppc checkpoint
    read(21) x
    total = total + sum(x)
    do k = 1, mod(i, 4)
      write(units(1)) i, k, x(1:k)
    end do
    if (mod(i, 5) == 3) then
      backspace(units(1))
      if (mod(i, 2) == 1) write(units(1)) -i
    end if
    write(units(3)) total
    if (i > 1) then
      ! Before anything is written.
      read(22, rec=1 + mod((i - 1) * 5, 30)) y
      total = total + y(1)
    end if
    record = 1 + mod(i * 5, 30)
    y = [real(8) :: i, record, total]
    write(22, rec=record) y
    write(name, '(a, i0)') 'fresh.', i
!$cppc execute capture(name) file(fresh, name)
    open(newunit=fresh, file=name, status='new')
!$cppc end execute
    write(fresh, *) total
    close(fresh)
    rewind(24)
    write(24) i, total
    ! Shorter than before only once it has been seen to be written anew.
    if (i > 8 .and. mod(i, 2) == 1) write(24) y
    inquire(unit=23, opened=is_open)
    write(*, '(i4, f14.4, l2)') i, total, is_open
  end do
  close(units(1))
  close(units(3))
  close(21)
  close(22)
!$cppc shutdown

contains

  subroutine make_input
    real(8) :: z(40)
    integer :: r, j
    open(9, file='input.bin', form='unformatted', status='replace')
    do r = 1, 20
      z = [(r + j / 64d0, j = 1, 40)]
      write(9) z
    end do
    close(9)
  end subroutine make_input
end program open_unformatted
