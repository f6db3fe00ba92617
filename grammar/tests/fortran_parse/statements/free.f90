! Statements of the free form, and what the grammar makes of expressions.
program statements
  use, intrinsic :: iso_fortran_env, only: real64, int32, output_unit
  use iso_c_binding, c => c_int
  implicit none
  integer, parameter :: dp = kind(1.0d0), ck = selected_char_kind('DEFAULT')
  real(dp), dimension(10, 0:9), target, save :: a = 0.0_dp
  real(kind=dp), allocatable :: b(:), m(:, :)
  character(len=:), allocatable :: s
  character(len=10) :: name = 'it''s', other*20
  character*8 :: old
  complex(dp) :: z = (1.0_dp, -2.0)
  logical :: flag, do, if, end
  real(dp), pointer :: p(:) => null(), q(:)
  integer :: i, j, n(3) = [1, 2, 3], k(2) = (/ (i, i = 1, 2) /)
  type :: point
    real :: x = 0, y
    real :: r(3)
  end type point
  type(point) :: pt, pts(10)
  double precision d
  d = 1d0; do = .true.; if = do .eqv. .not. flag
  if (do) if = .false.
  end = if
  a(1, :) = 2.0_dp*a(2, :) - (a(3, :) + 1)**2
  a(2:5, 1) = a(:8:2, 1) + a(::3, 2)
  pts(1)%r(2:3) = pts(2)%r(1:2)
  name(1:3) = name(:2)//'x'
  p => a(:, 1)
  q(1:) => p
  z = z*z%re + z%im
  allocate (b(10), m(0:3, -1:1), stat=i)
  allocate (character(len=5) :: s)
  allocate (b(3), source=0.0_dp)
  allocate (real(dp) :: b(3))
  deallocate (b, m)
  nullify (p)
  b = [real(dp) :: 1, 2, (real(i, dp), i = 1, 3)]
  flag = a(1, 1) > 2 .and. a(1, 1) <= 3 .or. .not. (a(1, 1) /= 4) .neqv. flag
  i = -2**2 + 3*(-4) - -5
  i = int(z'ff') + int(b'101') + int(o"17")
  s = ck_'text' // "quote""d"
  outer: do i = 1, 10
    inner: do
      if (i > 3) exit outer
      cycle inner
    end do inner
  enddo outer
  do while (i < 10)
    i = i + 1
  end do
  do 10 i = 1, 3
    do 10 j = 1, 3
10  a(i, j) = i
  do 20 i = 1, 3
20 end do
  do concurrent (i = 1:3, j = 1:3, i /= j)
    a(i, j) = 0
  end do
  choose: select case (i)
  case (:0, 5:7) choose
    i = 1
  case (8)
    i = 2
  case default
    i = 3
  end select choose
  where (a > 0) a = 0
  where (a > 0)
    a = 1
  elsewhere (a < -1)
    a = 2
  elsewhere
    a = 3
  end where
  forall (i = 1:3, j = 1:3, i > j) a(i, j) = i
  forall (i = 1:3)
    a(i, 1) = 1
  end forall
  block
    integer :: local
    local = 1
    i = local
  end block
  associate (x => pt%x, y => a(1, 1) + 2)
    x = y
  end associate
  if (i == 1) then
    i = 2
  else if (i == 2) then
    i = 3
  elseif (i == 3) then
    i = 4
  else
    i = 5
  endif
  open (newunit=i, file='x', status='old', iostat=j, err=30)
  inquire (iolength=i) a
  write (unit=output_unit, fmt='(a)', advance='no') 'x', (a(i, 1), i = 1, 3), ((a(i, j), i=1,2), j=1,2)
  read (*, *, end=30) i
  print '(a)', name
  print *
  flush (output_unit)
  close (i, status='delete')
30 continue
  call sub (i, flag=flag, a=a)
  call sub
  go to 40
40 stop 'done'
  error stop 3
contains
  subroutine sub(i, a, flag)
    integer, intent(in out), optional :: i
    real(dp), intent(in), optional :: a(:, :)
    logical, optional, intent(out) :: flag
    return
  end subroutine
end program statements
