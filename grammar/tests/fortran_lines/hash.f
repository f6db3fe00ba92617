# 1 "other.f"
#ifdef X
      X = 1
#endif
     # + 2
      END
