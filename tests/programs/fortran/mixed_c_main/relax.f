      subroutine relax(u, n, sweeps)
      integer n, sweeps, s, k, calls
      double precision u(n), scale
      common /control/ scale, calls
c$cppc register(s, calls)
      do 20 s = 1, sweeps
        calls = calls + 1
        do 10 k = 2, n
   10     u(k) = u(k) * scale + u(k - 1) * 0.25d0
c$cppc checkpoint
        u(1) = u(1) + s
   20 continue
      end

      double precision function residue(u, n)
      integer n, k
      double precision u(n)
      residue = 0
      do 10 k = 1, n
   10   residue = residue + abs(u(k))
      end
