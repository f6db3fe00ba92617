/* Exercises: a few megabytes in blocks of uneven sizes, so that copies and files have many parts. */
#include <stdlib.h>

#include "check.h"

int main(void)
{
    double *big;
    unsigned char *odd;
    float *medium;
    long i, k, n = 200003;

#pragma cppc init
    big = malloc((size_t)n * sizeof *big);
    odd = malloc(65537);
    medium = malloc(30011 * sizeof *medium);
    for (k = 0; k < n; k++)
        big[k] = k * 1e-3;
    for (k = 0; k < 65537; k++)
        odd[k] = (unsigned char)(k * 31);
    for (k = 0; k < 30011; k++)
        medium[k] = (float)k;
#pragma cppc register(i, n, big[n], odd[65537], medium[30011])
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        for (k = i; k < n; k += 7)
            big[k] = big[k] * 0.5 + odd[k % 65537];
        for (k = 0; k < 65537; k += 3)
            odd[k] = (unsigned char)(odd[k] + i + k);
        for (k = 1; k < 30011; k += 2)
            medium[k] -= medium[k - 1] * 0.25f;
        show("big", (int)i, sum_bytes(sum_bytes(sum_bytes(SUM_START, big + n - 9000, 72000), odd,
                                                65537), medium, 30011 * sizeof *medium));
    }
    free(big);
    free(odd);
    free(medium);
#pragma cppc shutdown
    return 0;
}
