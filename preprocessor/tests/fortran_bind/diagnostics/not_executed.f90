program not_executed
  implicit none
  integer :: i
  type pair
    integer :: i
    !$cppc register(i)
!          ~~~~~~~~~~~ error[C0453] `register` is in the definition of a type
  end type pair
  class(*), allocatable :: any
  !$cppc init
  i = 1
  select case (i)
  !$cppc checkpoint
!        ~~~~~~~~~~ error[C0453] `checkpoint` is before the first case
  case (1)
    !$cppc checkpoint
    print *, i
  end select
  select type (any)
  !$cppc register(i)
!        ~~~~~~~~~~~ error[C0453] `register` is before the first case
  type is (integer)
    print *, any
  end select
  block
    !$cppc register(i)
!          ~~~~~~~~~~~ error[C0453] `register` is among the declarations
    integer :: k
    type inner
      !$cppc checkpoint
!            ~~~~~~~~~~ error[C0453] `checkpoint` is in the definition of a type
      integer :: i
    end type inner
    !$cppc register(k)
!          ~~~~~~~~~~~ error[C0453] `register` is among the declarations
    integer :: l
    !$cppc register(l)
    l = 2
  end block
  block
    !$cppc register(i)
  end block
  !$cppc shutdown
end program not_executed
