!$cppc init
!$CPPC INIT
  !$cppc register(a)
!$cppc register(a(n, m), b%c(1:n), /block/, // , x%y%z, a(2:) , c(:)(1:2))
!$cppc REGISTER ( a , &
!$cppc&  names('it''s )', "\"), &
!$cppc   b(f(1, [1, 2], (/ 3, 4 /))) ) ! behind
!$cppc unregister(a)
!$cppc end execute
!$cppc endexecute
!$cppc EXECUTE ONRESTART CAPTURE(I, J)
!$cppc execute on restart
!$cppc execute capture(i) on restart
!$cppc checkpoint
!$cccp shutdown
!$cppc register(register, init, end)
