/* Exercises: a longer run with a checkpoint call in every turn, for settings that dump only some; a setting that is
 * not taken off the command line makes the field longer. */
#include <stdlib.h>

#include "check.h"

int main(int argc, char **argv)
{
    double *u;
    int i, k, n = 50 * argc;

#pragma cppc init
    u = malloc((size_t)n * sizeof *u);
    for (k = 0; k < n; k++)
        u[k] = k % 7;
#pragma cppc register(i, u[n])
    for (i = 0; i < 60; i++) {
        for (k = 0; k < n; k++)
            u[k] = 0.25 * u[(k + 3) % n] + 0.5 * u[k] + i * 0.01;
#pragma cppc checkpoint
        show("u", i, sum_reals(SUM_START, u, (size_t)n));
    }
    printf("%d\n", argv[argc] == NULL);
    free(u);
#pragma cppc shutdown
    return 0;
}
