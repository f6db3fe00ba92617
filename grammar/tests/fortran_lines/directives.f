      PROGRAM D
!$cppc init
C$CPPC register(a, b)
*$CPPC Register(a,
*$cppc& b, c)
c$cccp register(a, &
c$cccp   b)
      !$cppc register( a, &
      !$cppc& b ) ! a comment
!$cppc&stray
!$cppc register(a,
!$cppc+ b)
!$cppc register(a,
     & b)
!$cppc checkpoint
      X = 1 !$cppc checkpoint
      Y = 1 +
!$cppc checkpoint
     & 2
C$ cppc checkpoint
     !$cppc checkpoint
!$cppc register(x) &
      END
