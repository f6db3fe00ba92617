! Exercises: the older spelling of the sentinel, in any case, and `execute on restart`.
PROGRAM OLDER
  IMPLICIT NONE
  INTEGER :: STEP, LIMIT
  INTEGER(8) :: PRODUCT_SO_FAR
  LIMIT = 0
  PRODUCT_SO_FAR = 1
!$CCCP INIT
!$cccp execute on restart
  LIMIT = 9
!$cccp end execute
!$Cccp Register(Step, Product_so_far)
  DO STEP = 1, LIMIT
!$CCcp checkpoint
    PRODUCT_SO_FAR = MOD(PRODUCT_SO_FAR * (STEP + 40), 1000003_8)
    PRINT '(A, I3, I10)', 'product', STEP, PRODUCT_SO_FAR
  END DO
!$cppc shutdown
END PROGRAM OLDER
