/* Called procedures exchange pointers and move one. They are registered again before the checkpoint.
 * reports: nothing */
#include <stdio.h>
#include <stdlib.h>

static void exchange(double **x, double **y)
{
    double *old = *x;
    *x = *y;
    *y = old;
}

static void step_on(double **pointer)
{
    ++*pointer;
}

int main(void)
{
    int n = 8, m = 9, k, i;
    double *a = calloc(n, sizeof *a), *b = calloc(m, sizeof *b), *c = calloc(n, sizeof *c);

#pragma cppc init
#pragma cppc register(i, n, m, a[n], b[m], c[n])
    for (i = 0; i < 4; i++) {
        exchange(&a, &b);
        k = n;
        n = m;
        m = k;
        step_on(&c);
#pragma cppc register(a[n], b[m], c[7 - i])
#pragma cppc checkpoint
        a[0] += i;
        printf("%g %g %g\n", a[0], b[0], c[0]);
    }
#pragma cppc shutdown
    return 0;
}
