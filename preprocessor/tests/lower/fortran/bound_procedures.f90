module shapes
  type, abstract :: shape
    real :: scale
  contains
    procedure(area_of), deferred :: area
    procedure :: grow
  end type
  type, extends(shape) :: circle
    real :: radius
  contains
    procedure :: area => circle_area
  end type
  type, extends(shape) :: square
    real :: side
  contains
    procedure :: area => square_area
  end type
  abstract interface
    function area_of(this)
      import shape
      class(shape), intent(in) :: this
      real :: area_of
    end function
  end interface
contains
  function circle_area(this) result(a)
    class(circle), intent(in) :: this
    real :: a
    a = this%radius
  end function
  function square_area(this) result(a)
    class(square), intent(in) :: this
    real :: a
    a = this%side
  end function
  subroutine grow(this, by)
    class(shape) :: this
    real, value :: by
    this%scale = by * this%area()
    select type (this)
    type is (circle)
      this%radius = by
    class default
      stop
    end select
  end subroutine
end module
