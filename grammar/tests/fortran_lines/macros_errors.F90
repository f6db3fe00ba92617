#define TWO(a, b) a b
#define R R + 1
#define P Q
#define Q P
#define 5 x
#define
x = TWO(1) + R + P
y = TWO(1, 2
#if
#endif
#if 1 +
z = 1
#elif 1
z = 2
#endif
#else
#endif
#if 1
#else
#else
#endif
#error this is 'wrong'
#warning this too
#strange
#include
#include "none.h"
x = 'a' /* no end
#if 0
