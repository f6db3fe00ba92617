/* Exercises: the older spelling of the directives, alone and beside the newer one. */
#include <stdlib.h>

#include "check.h"

static double relax(double *u, int n)
{
    double change = 0;
    int k;
#pragma cccp register(k, change)
    for (k = 1; k + 1 < n; k++) {
#pragma cccp checkpoint
        change += u[k] * 0.125;
        u[k] = 0.5 * (u[k - 1] + u[k + 1]);
    }
    return change;
}

int main(int argc, char **argv)
{
    double *u, total = 0;
    FILE *sink;
    int i, k, n = 6;

#pragma cccp init
#pragma cppc execute capture(n)
    sink = n > 5 ? stdout : NULL;
#pragma cccp end execute
    u = malloc((size_t)n * sizeof *u);
    for (k = 0; k < n; k++)
        u[k] = k * k + argc;
#pragma cccp register(i, total, u[n])
    for (i = 0; i < 3; i++) {
        total += relax(u, n);
        fprintf(sink, "%d %.17g %d\n", i, total, argv[0] != NULL);
    }
#pragma cccp unregister(u)
    free(u);
#pragma cppc checkpoint
    fprintf(sink, "%.17g\n", total);
#pragma cccp shutdown
    return 0;
}
