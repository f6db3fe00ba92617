/* Exercises: a long run of calls that leave nothing behind, so that the plan must stay short, with
 * registers of automatic variables that end with their frames.
 */
#include <stdlib.h>

#include "check.h"

static double inner(int k, double x)
{
    double local = x;
    double *heap = malloc(2 * sizeof *heap);
    heap[0] = k;
    heap[1] = x;
#pragma cppc register(local, heap[2])
    if (k % 100 == 99) {
#pragma cppc checkpoint
        local += heap[0];
    }
    local = local * 0.999 + heap[1] / (k + 1);
    free(heap);
    return local;
}

int main(void)
{
    double x = 1.0;
    int i;

#pragma cppc init
#pragma cppc register(i, x)
    for (i = 0; i < 2000; i++) {
        x = inner(i, x);
        if (i % 100 == 0)
            printf("%d %.17g\n", i, x);
    }
    printf("%.17g\n", x);
#pragma cppc shutdown
    return 0;
}
