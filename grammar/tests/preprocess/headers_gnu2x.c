/* flags: -std=gnu2x -O2 -D_FORTIFY_SOURCE=2 */
/* The headers in another mode of the language. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <complex.h>
#include <stdint.h>
#include <errno.h>
#include <assert.h>
#include <signal.h>
#include <time.h>
#include <limits.h>
int f(int x) { assert(x > 1 && "text"); return errno + INT_MAX + EOF + isnan(1.0 * x); }
