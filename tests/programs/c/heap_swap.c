/* Exercises: two buffers that change places in every step (`t = a; a = b; b = t`), in the procedure
 * itself and through the addresses of the pointers. */
#include <stdlib.h>

#include "check.h"

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    double *now, *next, *far, *near;
    double *t;
    int i, k, n = 9;

#pragma cppc init
    now = calloc((size_t)n, sizeof *now);
    next = calloc((size_t)n, sizeof *next);
    near = calloc((size_t)n, sizeof *near);
    far = calloc((size_t)n, sizeof *far);
    now[0] = 1;
    near[n - 1] = 1;
#pragma cppc register(i, n, now[n], next[n], near[n], far[n])
    for (i = 0; i < 7; i++) {
#pragma cppc checkpoint
        for (k = 0; k < n; k++) {
            next[k] = 0.5 * now[k] + 0.25 * (now[(k + 1) % n] + now[(k + n - 1) % n]);
            far[k] = near[(k + 1) % n] + 0.001 * next[k];
        }
        t = now;
        now = next;
        next = t;
        swap(&near, &far);
        show("now", i, sum_reals(sum_reals(SUM_START, now, (size_t)n), near, (size_t)n));
        show("old", i, sum_reals(sum_reals(SUM_START, next, (size_t)n), far, (size_t)n));
    }
    free(now);
    free(next);
    free(near);
    free(far);
#pragma cppc shutdown
    return 0;
}
