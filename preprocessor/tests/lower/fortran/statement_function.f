      SUBROUTINE SUB(A)
      REAL A(10), F, G, X
      INTEGER I
      F(X) = X + A(1)
      G(X) = F(X) * 2
      I = 3
      A(I) = G(A(2))
      END
