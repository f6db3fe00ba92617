/* A comparison with a checkpoint in it, which the C library's sort calls; and a loop with a checkpoint
 * that can be resumed. */
#include <stdlib.h>

#include "check.h"

static long compared;

static int by_size(const void *left, const void *right)
{
    double a, b;
    compared++;
#pragma cppc checkpoint
    a = *(const double *)left;
    b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(void)
{
    double values[5] = {3, 1, 4, 1.5, 9};
    int i, k;

#pragma cppc init
#pragma cppc register(i, values, compared)
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        qsort(values, 5, sizeof values[0], by_size);
        printf("%d %ld", i, compared);
        for (k = 0; k < 5; k++)
            printf(" %g", values[k]);
        printf("\n");
        values[i] += 3 * i;
        values[4 - i] *= 0.5;
    }
#pragma cppc shutdown
    return 0;
}
