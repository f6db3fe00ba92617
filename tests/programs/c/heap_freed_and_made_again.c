/* Exercises: an array that every step frees and makes anew in another size within a callee, while a
 * second one keeps its place; the callee's register ends the earlier one of that name. */
#include <stdlib.h>

#include "check.h"

static double *scratch;
static int scratch_size;

static void renew(int n)
{
    int k;
    free(scratch);
    scratch = malloc((size_t)n * sizeof *scratch);
    scratch_size = n;
    for (k = 0; k < n; k++)
        scratch[k] = n + k * 0.125;
#pragma cppc register(scratch_size, scratch[scratch_size])
}

int main(void)
{
    double *steady;
    int i, k;

#pragma cppc init
    steady = calloc(4, sizeof *steady);
#pragma cppc register(i, steady[4])
    for (i = 0; i < 5; i++) {
        renew(3 + i * 2 % 5);
#pragma cppc checkpoint
        for (k = 0; k < scratch_size; k++)
            steady[k % 4] += scratch[k];
        show("steady", i, sum_reals(SUM_START, steady, 4));
    }
    free(scratch);
    free(steady);
#pragma cppc shutdown
    return 0;
}
