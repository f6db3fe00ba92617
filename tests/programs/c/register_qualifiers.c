/* Exercises: items with qualifiers and storage classes: `volatile`, `restrict`, `register`,
 * `_Alignas`, pointers to `const`, `_Atomic`, also of fields and statics, without a warning of the compiler. */
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"

struct bench {
    double *restrict row;
    volatile int turns[2];
};

static volatile long total[2];

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
    struct bench bench[2] = {{0}};
    register int i;
    double sum = 0;

#pragma cppc init
    for (i = 0; i < 2; i++) {
        bench[i].row = calloc(2, sizeof *bench[i].row);
#pragma cppc register(bench[i].row[2], bench[i].turns)
    }
#pragma cppc register(total)
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
        bench[i % 2].row[i / 2] += sum;
        bench[1].turns[i % 2] += i;
        total[i % 2] += bench[1].turns[0] + (long)bench[0].row[0];
        printf("%d %d %d %.17g %.17g\n", i, seen, ticks, wall[i], sum);
    }
    free(values);
    free(out);
    printf("%.17g %.17g %d %ld %ld\n", bench[0].row[1], bench[1].row[0], bench[1].turns[1], total[0], total[1]);
    free(bench[0].row);
    free(bench[1].row);
#pragma cppc shutdown
    return 0;
}
