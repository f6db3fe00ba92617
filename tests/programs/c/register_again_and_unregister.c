/* Exercises: `unregister` and a later register of the same name, of scalars and of heap arrays;
 * a freed array whose register has ended; the section between two checkpoints. */
#include <stdlib.h>

#include "check.h"

int main(void)
{
    double *work, *keep;
    int i, j, n = 5;

#pragma cppc init
    keep = malloc(3 * sizeof *keep);
    for (i = 0; i < 3; i++)
        keep[i] = i + 1;
#pragma cppc register(i, keep[3])
    for (i = 0; i < 4; i++) {
        work = malloc((size_t)n * sizeof *work);
        for (j = 0; j < n; j++)
            work[j] = keep[j % 3] * j;
#pragma cppc register(j, work[n])
        for (j = 0; j < 2; j++) {
#pragma cppc checkpoint
            keep[j] += work[n - 1 - j] * 0.125;
            work[j] -= keep[j + 1];
        }
        keep[2] += work[0];
#pragma cppc unregister(work, j)
        free(work);
        n += i;
        show("keep", i, sum_reals(SUM_START, keep, 3));
#pragma cppc checkpoint
        keep[0] *= 0.75;
    }
#pragma cppc unregister(keep, i, n)
    printf("%.17g %.17g %.17g %d\n", keep[0], keep[1], keep[2], n);
    free(keep);
#pragma cppc shutdown
    return 0;
}
