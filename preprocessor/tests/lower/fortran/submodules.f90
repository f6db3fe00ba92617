module host
  integer :: shared = 1
  interface
    module subroutine step(n)
      integer, intent(inout) :: n
    end subroutine
  end interface
contains
  subroutine outer(n)
    integer, intent(inout) :: n
    integer :: local
    local = n
    call inner
    call step(local)
  contains
    subroutine inner
      local = local + shared
    end subroutine
  end subroutine
end module
submodule (host) body
contains
  module procedure step
    n = n + shared
  end procedure
end submodule
