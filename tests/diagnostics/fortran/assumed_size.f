c The size of a dummy that ends in a star is not known here.
      program sizes
      real a(10), b(4)
c$cppc init
      call work(a, b, 10)
      end

      subroutine work(x, y, n)
      integer n
      real x(*), y(2, *)
c$cppc register(x, y)
c               ~ error[C0425] the size of `x` is not known here
c                  ~ error[C0425] the size of `y` is not known here
c$cppc register(x(n))
c$cppc checkpoint
      x(1) = y(1, 1)
      end
