! Statements in the spellings that free form allows.
module spellings
  use, non_intrinsic :: other_module
  use :: third, only:
  use fourth, only: operator(+), read(formatted), mine => theirs, assignment(=), operator(/), operator(//), last
  use fifth, operator(.a.) => operator(.b.), here => there
  implicit real(kind(1.0d0)) (a-h), integer(8) (i-n), type(t) (o), character(len=8) (c)
  private operator(/), hidden
  interface operator(/)
    module procedure divide
  end interface operator(/)
  interface assignment(=)
    procedure :: set, get
  endinterface assignment(=)
  interface read(formatted)
    module procedure read_it
  end interface
  procedure(), pointer :: p1
  procedure(real), pointer :: p2 => null()
  procedure(iface), pointer, save :: p3
  character(len=*), parameter :: names(*) = [character(len=3) :: 'a', "b"]
  character, pointer :: c1(:)
  character c2*5, c3(3)*(4), c4*(*)
  character(kind=1, len=3) :: c5
  character(3, 1), target :: c6
  integer, parameter :: from(0:*) = [1, 2]
  integer*4, dimension(3) :: i4
  type(t), pointer :: tp => null()
  class(*), allocatable :: anything
  type(*), dimension(..) :: assumed
  type(real(8)) :: odd
  double precision, dimension(:), allocatable :: dp
  doubleprecision joined
  double complex :: dc
  real, dimension(2, 2), intent(inout), optional, contiguous, volatile, asynchronous, value, protected, bind(c) :: many
  integer, dimension(:), codimension[*], allocatable :: co
  allocatable al(:), al2
  pointer :: po, po2(:, :)
  target ta(3)
  dimension :: di(3, 0:4)
  save :: /block/, sa
  external ex; intrinsic :: in
  optional op
  intent(in out) :: io
  intent(in) io2
  value :: va
  volatile vo
  asynchronous :: as
  protected pr
  contiguous :: con
  bind(c, name='x') :: /block/, bi
  codimension :: cod[*]
  parameter (pa=1, pb=(1.0, -2))
  common /block/ sa, b2(3), /other/ b3
  common b4 // b5
  equivalence (sa, b2(1)), (b3, b4)
  namelist /nml/ sa, b2, /nml2/ b3
  data sa, b2 /1, 3*2/, b3 /z'ff'/, (di(i, 1), i=1, 3) /3*0/
  data tp%x /null()/
  import, all
contains
  elemental real(8) function f1(x)
  end function
  type(t) pure function f2(x) result(y)
  end function f2
  class(t) function f3()
  endfunction f3
  real(kind=kind(1.d0)) recursive function f4() bind(c, name="f" // "4") result(y)
  end
  character(len=n) function f5(n)
  end
  integer*8 module function f6()
  end
  pure module subroutine s1
  end subroutine s1
  impure elemental subroutine s2(*, a, *) bind(c)
    entry e1(x)
    entry e2() result(z) bind(c)
    if(a)10,20,30
10  if (a) then; b = 1; else; b = 2; end if
20  goto 30
30  go to(10,20),i
    goto (10, 20) i
    if (a) goto10
    do10i=1,3
    enddo
    do 40, i = 1, 3
40  continue
    do, i = 1, 3
    end do
    do , while (a)
    end do
    do50 while(a)
50  end do
    do concurrent (i=1:3); end do
    selectcase (i)
    casedefault
    endselect
    where (a) ; elsewhere ; endwhere
    forall(i=1:3)a(i)=i
    print*,"x",'y'
    print 10,x
    print"(a)",x
    write(*,"(a)")x
    write(unit=*,fmt=*)
    read*,x
    read 10
    read(5,nml=x)
    read(5,*)x,(y(i),i=1,3)
    backspace u
    rewind(u)
    end file u
    endfile(u)
    flush(u)
    flush u
    wait(u)
    close(u)
    inquire(file=f,exist=e)
    call a%b%c(d)
    call x(i)%y()
    call z
    a = b%c()
    a = x%b(1)%c(2:3)
    a = "abc"(1:2)
    a = .5e-3_dp + 1.e-3 + 1.D+5 + 1.0_4
    a = b.eq.1..and.c
    a = 1.0.eq.x .or. 1.eq.x
    a = b**(-2)**c - -d
    a(1)(2:3) = b(:)(1:1)
    a = [real :: ] // [integer(8) ::] // (/ 1 /)
    a = (/ character(3) :: /)
    allocate(type(t) :: q)
    allocate(character(len=:) :: q)
    allocate(q, mold=r)
    deallocate(q, stat=i)
    nullify(p, q%r)
    if (a) return
    if (a) stop
    if (a) call exit(1)
    if (a) b => c
    if (a) where (b) c = d
    stop; stop 1; error stop; errorstop 2
    assign 10 to i
    pause
    return 1
  end subroutine
  subroutine s3; end subroutine s3
end module
