subroutine q
  type t
    type(t) :: x
  end type
  type(t) :: y
!$cppc register(y)
!$cppc checkpoint
end
program p
!$cppc init
  call q
!$cppc shutdown
end program
