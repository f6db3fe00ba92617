module m
  type t
    integer :: i
  integer :: after
  interface
    subroutine s
  end interface
  subroutine early
  end subroutine
contains
  subroutine a
    if (x) then
      do i = 1, 3
        call f
    end if
    else
  end subroutine b
  subroutine c
    outer: do i = 1, 3
    end do inner
    end select
    case (1)
    do 10 i = 1, 3
  end
end module m
end module n
subroutine open_end
  contains
  x = 1
  contains
  function f(x)
  end subroutine
contains
