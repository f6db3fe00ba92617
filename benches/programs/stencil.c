/* A stencil whose loop holds the checkpoint: the arrays, the sizes, the index and the result are all
 * automatic variables of the procedure that does the work. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400, steps = argc > 2 ? atoi(argv[2]) : 4000;
    double *now, *next, *swap, change = 0.0;
    int step, i, j;

#pragma cppc init
    now = calloc((size_t)n * n, sizeof *now);
    next = calloc((size_t)n * n, sizeof *next);
    for (i = 0; i < n; i++)
        now[i] = next[i] = 100.0;
#pragma cppc register(step, steps, n, change, now[n * n], next[n * n])
    for (step = 0; step < steps; step++) {
#pragma cppc checkpoint
        change = 0.0;
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++) {
                double mean = 0.25 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] +
                                      now[i * n + j - 1] + now[i * n + j + 1]);
                double moved = mean > now[i * n + j] ? mean - now[i * n + j] : now[i * n + j] - mean;
                change = moved > change ? moved : change;
                next[i * n + j] = mean;
            }
        swap = now;
        now = next;
        next = swap;
    }
    printf("%.17g %.17g\n", change, now[(n / 2) * n + n / 2]);
    free(now);
    free(next);
#pragma cppc shutdown
    return 0;
}
