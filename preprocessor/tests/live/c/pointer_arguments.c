/* A restart passes pointers again, also if a condition selects them. Their target must be saved.
 * reports: right
 * all: p, right, x */
#include <stdio.h>

static double left[4], right[4];

static double use(const double *p, double *x, int i)
{
#pragma cppc checkpoint
    x[i] += 1;
    return p[i];
}

int main(void)
{
    double *at;
    int i;
#pragma cppc init
    left[1] = 3;
    right[1] = 3;
    at = left;
#pragma cppc register(i, left)
    for (i = 0; i < 3; i++) {
        printf("%g\n", use(i & 1 ? &left[i] : right + i, at, i));
        at = left;
    }
#pragma cppc shutdown
    return 0;
}
