C flags: -fopenmp -fd-lines-as-code
      PROGRAM C
!$    N = 1
C$   &+ 2
*$ 10 M = 1
!$OMP PARALLEL
C$ ABC
D     K = 1
      END
