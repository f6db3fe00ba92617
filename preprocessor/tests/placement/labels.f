      program labels
      implicit none
      integer i, j
      double precision x, s
!$cppc init
      x = 1
      s = 0
!$cppc register(x, s)
!$cppc checkpoint loop
      do 10 i = 1, 10
         do 10 j = 1, 3
   10 x = x + s
!$cppc checkpoint loop
      do while (x .gt. 1.0d0)
!$omp parallel do
         do j = 1, 4
            s = s + 1
         end do
         x = x / 2
      end do
      do 30 i = 1, 2
!$cppc checkpoint loop
      do 20 j = 1, 3
   20 s = s + 1
   30 continue
      if (s .gt. 1) then
!$cppc checkpoint loop
      end if
!$cppc checkpoint loop
      do concurrent (i = 1:3)
         s = 1
      end do
      print *, x, s
!$cppc shutdown
      end
