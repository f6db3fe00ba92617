/* Exercises: parallel regions between blocks and inside a loop that holds the checkpoint.
 *
 * flags: -fopenmp
 */
#include <stdlib.h>

#include "check.h"

int main(void)
{
    int i, k, n = 1000;
    long *u, total = 0;

#pragma cppc init
    u = malloc((size_t)n * sizeof *u);
#pragma omp parallel for num_threads(2)
    for (k = 0; k < n; k++)
        u[k] = k;
#pragma cppc register(i, total, u[n])
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
#pragma omp parallel for num_threads(2) reduction(+ : total)
        for (k = 0; k < n; k++) {
            u[k] = u[k] * 3 % 1009 + i;
            total += u[k];
        }
        printf("%d %ld\n", i, total);
    }
    free(u);
#pragma cppc shutdown
    return 0;
}
