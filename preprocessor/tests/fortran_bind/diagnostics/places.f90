program places
  implicit none
  integer :: i
  !$cppc register(i)
!        ~~~~~~~~~~~ error[C0453] `register` is among the declarations
  real :: x
  !$cppc init
  !$cppc init
!        ~~~~ error[C0416] a second `init`
  !$cppc execute
  do i = 1, 3
    !$cppc checkpoint
!          ~~~~~~~~~~ error[C0414] `checkpoint` within an `execute` block
    if (i > 2) exit
    if (x > 3) goto 10
!                   ~~ error[C0417] a jump out of an `execute` block
    cycle
  end do
  if (x > 2) return
!            ~~~~~~ error[C0417] a jump out of an `execute` block
  if (x > 1) goto 20
20 continue
  !$cppc end execute
  goto 20
!      ~~ error[C0417] a jump into an `execute` block
10 continue
  !$cppc end execute
!        ~~~~~~~~~~~ error[C0410] `end execute` without `execute`
  do i = 1, 3
    !$cppc execute
    x = i
  end do
  !$cppc end execute
!        ~~~~~~~~~~~ error[C0412] `execute` and `end execute` are in different constructs
  !$cppc execute
  !$cppc execute
!        ~~~~~~~ error[C0413] an `execute` block within another
  x = 1
  !$cppc end execute
  !$cppc execute capture(nothing_like_it)
!                        ~~~~~~~~~~~~~~~ error[C0421] unknown name `nothing_like_it`
  x = 2
  !$cppc end execute
  !$omp parallel private(x)
  x = 1
  !$cppc checkpoint
!        ~~~~~~~~~~ error[C0406] `checkpoint` is in a block of `!$omp parallel`
  !$omp end parallel
  !$omp parallel do
  do i = 1, 3
    !$cppc checkpoint
!          ~~~~~~~~~~ error[C0406] `checkpoint` is in a block of `!$omp parallel`
    x = i
  end do
  !$cppc checkpoint
  associate (y => x + 1)
    !$cppc register(y)
!                   ~ error[C0422] `y` has another meaning here
  end associate
  !$cppc execute
!        ~~~~~~~ error[C0411] `execute` without `end execute`
contains
  subroutine inner
  end subroutine inner
  !$cppc checkpoint
!        ~~~~~~~~~~ error[C0403] `checkpoint` is outside of all procedures
end program places
