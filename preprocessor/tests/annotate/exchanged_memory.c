/* Pointers that take over the memory of others: their registers have the size of the memory at each checkpoint. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int step, k, m = 3, n = 40, swap;
    double *a = calloc(m, sizeof *a), *b = calloc(n, sizeof *b), *other = calloc(n, sizeof *other), *keep, sum = 0;
    for (step = 0; step < 9; step++) {
#pragma cppc checkpoint
        for (k = 0; k < m; k++)
            sum += a[k] += k;
        for (k = 0; k < n; k++)
            sum += b[k] += other[k % 40] += step;
        keep = a, a = b, b = keep;
        swap = m, m = n, n = swap;
    }
    printf("%g\n", sum);
    return 0;
}
