/* `solve` exchanges memory of two allocations that have one size, which is a parameter there. In `shrink`, the parameter changes. No
 * register in `main` restores its pointers.
 * reports: first, second, v[count]
 */
#include <stdio.h>
#include <stdlib.h>

static void solve(double **result, int length)
{
    double *v = *result, *w = calloc(length, sizeof *w), *other;
    int k, i;
#pragma cppc register(k, i, v[length], w[length])
    for (k = 0; k < 3; k++) {
#pragma cppc checkpoint
        for (i = 0; i < length; i++)
            w[i] = v[i] + k;
        other = v;
        v = w;
        w = other;
    }
    *result = v;
}

static void shrink(double **result, int count)
{
    double *v = *result, *w = calloc(count, sizeof *w), *other;
    int k, i;
    count = count / 2;
#pragma cppc register(k, i, count, v[count], w[count])
    for (k = 0; k < 3; k++) {
#pragma cppc checkpoint
        for (i = 0; i < count; i++)
            w[i] = v[i] + k;
        other = v;
        v = w;
        w = other;
    }
    *result = v;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 10, i;
    double *first, *second;
#pragma cppc init
    first = calloc(size, sizeof *first);
    second = calloc(size, sizeof *second);
    solve(&first, size);
    shrink(&second, size);
    for (i = 0; i < size; i++)
        printf("%g %g\n", first[i], second[i]);
#pragma cppc shutdown
    return 0;
}
