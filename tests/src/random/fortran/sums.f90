! Compiled with each random program: adds up, and shows its files.
module sums
  implicit none
  integer(8) :: total = 1
  interface
    ! Kills the process at the right time.
    subroutine tick()
    end subroutine tick
  end interface
contains
  subroutine mix(value)
    integer, intent(in) :: value
    call tick()
    total = modulo(total * 31 + value, 1000000007_8)
  end subroutine mix

  subroutine mix_real(value)
    real(8), intent(in) :: value
    integer(8) :: bits
    bits = transfer(value, bits)
    call mix(int(iand(bits, 65535_8)))
    call mix(int(iand(ishft(bits, -16), 65535_8)))
    call mix(int(iand(ishft(bits, -32), 65535_8)))
    call mix(int(iand(ishft(bits, -48), 65535_8)))
  end subroutine mix_real

  subroutine show_lines(name)
    character(len=*), intent(in) :: name
    character(len=200) :: line
    integer :: unit, status
    open (newunit=unit, file=name, status='old', action='read')
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      print '(3a)', name, ': ', trim(line)
    end do
    close (unit)
  end subroutine show_lines

  subroutine show_records(name)
    character(len=*), intent(in) :: name
    integer :: unit, status, value
    open (newunit=unit, file=name, status='old', action='read', form='unformatted')
    do
      read (unit, iostat=status) value
      if (status /= 0) exit
      print '(2a, i0)', name, ': ', value
    end do
    close (unit)
  end subroutine show_records

  subroutine show_stream(name)
    character(len=*), intent(in) :: name
    integer :: unit, status, value
    open (newunit=unit, file=name, status='old', action='read', access='stream', form='unformatted')
    do
      read (unit, iostat=status) value
      if (status /= 0) exit
      print '(2a, i0)', name, ': ', value
    end do
    close (unit)
  end subroutine show_stream

  subroutine show_direct(name)
    character(len=*), intent(in) :: name
    integer :: unit, record
    integer(8) :: value
    open (newunit=unit, file=name, status='old', action='read', access='direct', form='unformatted', recl=8)
    do record = 1, 4
      read (unit, rec=record) value
      print '(2a, i0)', name, ': ', value
    end do
    close (unit)
  end subroutine show_direct
end module sums
