module kinds
  use, intrinsic :: iso_fortran_env, only: int64, wp => real64
  implicit none
  private
  integer, parameter, public :: dp = selected_real_kind(15, 307), sp = kind(1.0)
  public :: wp, int64
end module kinds

module grid
  use kinds
  implicit none
  type :: point
    real(dp) :: x = 0, y = 0
    integer(1) :: colour
  end type point
  type, extends(point) :: body
    character(len=5) :: name
    type(point) :: way(2)
    real(sp), dimension(0:2) :: force
    complex(wp), allocatable :: wave(:)
  end type body
  type :: cell
    type(point) :: corner(2)
    logical :: full
  end type cell
  real(dp), allocatable :: u(:, :)
  real(dp), private :: hidden
  type(body) :: sun
  type(cell) :: cells(0:9)
  integer, parameter :: n = 4
  interface area
    module procedure area_of_point, area_of_number
  end interface area
  interface operator(.dot.)
    procedure dot
  end interface
contains
  real(dp) function area_of_point(p) result(a)
    type(point), intent(in) :: p
    a = p%x
    !$cppc checkpoint
  end function area_of_point
  pure function area_of_number(x, y)
    real(dp), intent(in) :: x
    integer, intent(in), optional :: y
    real(dp) :: area_of_number
    area_of_number = x * n
  end function area_of_number
  function dot(a, b) result(c)
    type(point), intent(in) :: a, b
    real(dp) :: c
    c = a%x * b%x
  end function dot
  subroutine step(p, how, done)
    class(point), intent(inout) :: p
    interface
      subroutine how(x)
        import :: dp
        real(dp), intent(inout) :: x
      end subroutine how
    end interface
    logical, optional :: done
    call how(p%x)
    !$cppc register(u, hidden, sun, cells, cells(2), done)
    !$cppc checkpoint
    call inner(hidden)
  contains
    subroutine inner(x)
      real(dp) :: x
      p%y = x
    end subroutine inner
  end subroutine step
end module grid

program main
  use grid, only: area, point, step, mesh => u, operator(.dot.), cells
  use kinds
  implicit none
  type(point) :: p, q
  real(wp) :: total, other
  integer(int64) :: i
  character(:), allocatable :: text
  real(dp), pointer :: view(:) => null()
  integer, target :: t
  !$cppc init
  !$cppc register(p, total, i, mesh, text, view, cells(3)%corner(1)%x, t)
  total = area(p) + area(2.0_dp) + area(total, 3)
  outer: do i = 1, 10
    associate (z => total, w => p%x)
      z = w
    end associate
    block
      integer :: k
      real(dp) :: total
      total = 1; k = int(i)
      !$cppc register(total, k)
      call step(p, double, done=.true.)
      if (total > other) exit outer
    end block
    select case (int(i))
    case (1:3, 5)
      total = p .dot. q
    case default
      mesh = reshape([(area(q), i = 1, 4)], [2, 2])
    end select
    do concurrent (t = 1:3)
      mesh(t, 1) = 0
    end do
  end do outer
  where (mesh > 0) mesh = 0
  !$cppc execute capture(total, mesh(1, 1))
  print *, total
  !$cppc end execute
  !$omp parallel do
  do t = 1, 3
    mesh(t, 2) = 1
  end do
contains
  subroutine double(x)
    real(dp), intent(inout) :: x
    x = x * 2
    other = x
    !$cppc unregister(mesh)
  end subroutine double
end program main
