! comment
program main
  implicit none
  integer :: a, b ; real :: c ! behind; not
10 continue
  a = 1 + & ! a comment
  ! another

    &2
  b = a&
    &bc + d&
e
  print *, 'it''s', "a & b", 'a ! b' ; print *, 'long &
     &constant; ''goes'' &

     ! a comment
     &on'
  print *, 'without &
     mark'
  call h(5Ha!b'c, 2) ! here
  20 x = 1; 30 y = 2;
  & lone
  z = 1 + &
  &
  2
  ;
  123456 bad = 1
  print *, 'open
  include 'include/part.inc' ! read here
  include "include/none.inc"
  include = 5
end program &
