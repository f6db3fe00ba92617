      subroutine diffus
      include 'state.inc'
      integer i, j
      do 10 j = 2, ny
      do 10 i = 2, nx
        field(i, j) = 0.5d0 * field(i, j) + 0.25d0 * field(i - 1, j)
     &              + 0.25d0 * field(i, j - 1)
   10 continue
      t = t + field(2, 2)
      ncall = ncall + 1
c$cppc checkpoint
      flag = mod(ncall, 2) .eq. 0
      end

      subroutine scale(by)
      include "state.inc"
      real*8 by
      t = t * by
      end
