subroutine files(unit, a, name)
  integer :: unit, i, n, ios
  real :: a(100)
  character(len=*) :: name
  character(len=20) :: line
  logical :: there
  namelist /group/ n, a
  inquire(file=name, exist=there)
  open(newunit=unit, file=name, iostat=ios)
  read(unit, *, end=10) n, (a(i), i = 1, n)
  read(unit, '(a)', iostat=ios) line
  read(line, *) n
  read(unit, nml=group)
  write(line, '(i0)') n
  write(unit, *) (a(i), i = 1, n), line(1:n)
10 close(unit)
  print *, name
end subroutine
