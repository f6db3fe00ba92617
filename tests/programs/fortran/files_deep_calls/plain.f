c Nothing here is on the way to a block: this file must come out as it went in.
      subroutine build(v, n)
      integer n, k
      real*8 v(n)
      do 10 k = 1, n
   10   v(k) = k * k
      end

      double precision function gap(v, n)
      integer n, k
      real*8 v(n), least, most
      least = v(1)
      most = v(1)
      do 10 k = 2, n
        least = min(least, v(k))
   10   most = max(most, v(k))
      gap = most - least
      end
