c No directive here: that this must be translated follows from what it calls.
      subroutine advanc(v, n, scale, turn)
      integer n, turn
      real*8 v(n), scale, moved
      moved = 0
      call settle(v, n, 1 + mod(turn, 2), moved)
      scale = scale * 0.5d0 + moved
      end
