/* Exercises: items with qualifiers and storage classes: `volatile`, `restrict`, `register`,
 * `_Alignas`, pointers to `const`, `_Atomic`. */
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"

static double weigh(const double *restrict values, double *restrict out, const int n)
{
    register int i;
    double sum = 0;
#pragma cppc register(i, sum, values[n], out[n])
    for (i = 0; i < n; i++) {
#pragma cppc checkpoint
        out[i] += values[i] * 1.5;
        sum += out[i];
        printf("%d %.17g\n", i, sum);
    }
    return sum;
}

int main(void)
{
    volatile int seen = 0;
    _Alignas(64) double wall[4] = {1, 2, 3, 4};
    _Atomic int ticks = 0;
    double *values, *out;
    register int i;
    double sum = 0;

#pragma cppc init
    values = malloc(3 * sizeof *values);
    out = calloc(3, sizeof *out);
    for (i = 0; i < 3; i++)
        values[i] = i + 0.5;
#pragma cppc register(i, seen, wall, ticks, sum, values[3], out[3])
    for (i = 0; i < 3; i++) {
        sum += weigh(values, out, 3);
        seen += i + 1;
        ticks++;
        wall[i] *= sum;
        printf("%d %d %d %.17g %.17g\n", i, seen, ticks, wall[i], sum);
    }
    free(values);
    free(out);
#pragma cppc shutdown
    return 0;
}
