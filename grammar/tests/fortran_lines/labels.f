x y   z = 1
 1 2  z = 2
00010 continue
    0 continue
     &continue
