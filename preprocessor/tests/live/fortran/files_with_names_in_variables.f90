! The name of a file is a literal in one place, and in a variable in another, or it is passed to a procedure.
! reports: open
program files_with_names_in_variables
  implicit none
  integer :: i, total, n
  character(len=20) :: name, other, start = 'start.txt'
  total = 0
  !$cppc init
  name = 'values.txt'
  !$cppc register(i, total, name)
  do i = 1, 10
    !$cppc checkpoint
    open (12, file=trim(name), status='old')
    read (12, *) n
    close (12)
    total = total + n
    open (13, file='values.txt', status='replace')
    write (13, *) total
    close (13)

    call load(trim(start), total)
    call store(trim(start), total)
    call load('passed.txt', total)
    call store('passed.txt', total)
    write (other, '(a, i0)') 'step', i
    call load(other, total)
    write (other, '(a, i0)') 'step', i + 1
    call store(other, total)
  end do
  print *, total
  !$cppc shutdown
contains
  subroutine load(file, value)
    character(len=*), intent(in) :: file
    integer, intent(out) :: value
    open (14, file=file, status='old')
    read (14, *) value
    close (14)
  end subroutine load

  subroutine store(file, value)
    character(len=*), intent(in) :: file
    integer, intent(in) :: value
    open (15, file=file, status='replace')
    write (15, *) value
    close (15)
  end subroutine store
end program files_with_names_in_variables
