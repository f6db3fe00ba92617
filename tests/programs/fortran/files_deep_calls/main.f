c Exercises: calls through files of which one has no directive of its own but lies on the way to a
c checkpoint, one is free form, and one has nothing to do with any of it.
      program deep
      integer i, n
      parameter (n = 6)
      real*8 v(n), scale, gap
      scale = 1
      call build(v, n)
c$cppc init
c$cppc register(v, scale, i)
      do 10 i = 1, 3
        call advanc(v, n, scale, i)
        if (i .eq. 2) call settle(v, n, 2, scale)
        print '(i3, 8(1x, z16.16))', i, v, scale, gap(v, n)
   10 continue
c$cppc shutdown
      end
