!$cppc
!$cppc chekpoint
!$cppc register(a, b
!$cppc register(a, &
!$cppc&  b(1, &
!$cppc&  c)
!$cppc register a
!$cppc register()
!$cppc register(a, , b)
!$cppc register(a) b
!$cppc register(a]
!$cppc end
!$cppc execute capture(a) capture(b)
!$cppc execute om restart
!$cppc capture(x)
!$cppc checkpoint 5
!$cppc register('abc)
!$cppc init; init
