/* Exercises: blocks of every kind in branches that this run does not take, between blocks that it
 * takes; a branch that is taken only in a later step. */
#include <stdlib.h>

#include "check.h"

static int enabled;

static void extra(double *x)
{
#pragma cppc checkpoint
    *x += 100;
}

int main(int argc, char **argv)
{
    double *a = NULL, *b = NULL, x = 1;
    int i, mode = argc > 50 ? atoi(argv[1]) : 2;

#pragma cppc init
#pragma cppc register(i, x, enabled, mode)
    if (mode == 1) {
        a = malloc(sizeof *a);
#pragma cppc register(a[1])
#pragma cppc execute
        enabled = 5;
#pragma cppc end execute
        extra(&x);
    } else if (mode == 2) {
        b = malloc(2 * sizeof *b);
        b[0] = 3;
        b[1] = 4;
#pragma cppc register(b[2])
    } else {
#pragma cppc checkpoint
        x = -1;
    }
    for (i = 0; i < 5; i++) {
        if (i == 3) {
            a = calloc(3, sizeof *a);
#pragma cppc register(a[3])
        }
        if (enabled)
            extra(&x);
        if (mode != 2) {
#pragma cppc unregister(b)
            free(b);
            b = NULL;
        }
#pragma cppc checkpoint
        b[i % 2] += x;
        x = x * 0.5 + b[0];
        if (a != NULL)
            a[i % 3] += x;
        enabled = i == 2;
        printf("%d %d %.17g %.17g %.17g\n", i, enabled, x, b[1], a != NULL ? a[i % 3] : 0.0);
    }
    free(a);
    free(b);
#pragma cppc shutdown
    return 0;
}
