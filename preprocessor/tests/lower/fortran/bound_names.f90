module host
  interface
    module subroutine half(x) bind(c)
      real, intent(inout) :: x
    end subroutine
  end interface
contains
  subroutine Step(x) bind(c)
    real, intent(inout) :: x
    call half(x)
    call named(x)
    call hidden(x)
  end subroutine
  subroutine named(x) bind(c, name=' Other ')
    real, intent(inout) :: x
    x = 1
  end subroutine
  subroutine hidden(x) bind(c, name='')
    real, intent(inout) :: x
    x = 2
  end subroutine
end module
submodule (host) body
contains
  module procedure half
    x = x / 2
  end procedure
end submodule
