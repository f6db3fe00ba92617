program d
  !$cppc init
  !$CPPC register(a, &
  ! a comment between

  !$cppc&   b, &
  !$cppc    c)
  !$cccp execute &
  !$cccp & on restart
  !$cppc regis&
  !$cppc&ter(x)
  !$cppc execute
  !$cppc & capture(y)
  x = 1 !$cppc checkpoint
  y = 1 + & !$cppc checkpoint
    2
  call s(x, &
  !$cppc checkpoint
    y)
  !$cppcregister(a)
  ! $cppc register(a)
  !$omp parallel
  !$cppc checkpoint &
end program
