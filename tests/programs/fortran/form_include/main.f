c Exercises: COMMON in a file that is included, whose variables are registered here and changed in
c another file; parameters for dimensions come from the same file.
      program inc
      INCLUDE 'state.inc'
      integer i, j, n
      t = 0
      ncall = 0
      flag = .false.
      do 10 j = 1, ny
        do 10 i = 1, nx
   10     field(i, j) = i + 10 * j
c$cppc init
c$cppc register(t, field, ncall, flag, n)
      do 20 n = 1, 5
c$cppc checkpoint
        call diffus
        if (flag) call scale(0.5d0)
        write (*, 100) n, ncall, flag, t, field(nx, ny)
   20 continue
  100 format (2i4, l2, 2(1x, z16.16))
c$cppc shutdown
      end
