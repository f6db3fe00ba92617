/* Exercises: procedures with a checkpoint that return pointers into registered memory; the result
 * is assigned, dereferenced, and waits while another call has its checkpoint. */
#include <stdlib.h>

#include "check.h"

static double *store;

static double *cell(int k)
{
#pragma cppc checkpoint
    return &store[k % 6];
}

static double combine(const double *a, double b)
{
    return *a * 2 + b;
}

int main(void)
{
    double *chosen, sum = 0;
    int i;

#pragma cppc init
    store = malloc(6 * sizeof *store);
    for (i = 0; i < 6; i++)
        store[i] = i + 1;
#pragma cppc register(i, sum, store[6])
    for (i = 0; i < 4; i++) {
        chosen = cell(i);
        *chosen += 0.5;
        *cell(i + 1) *= 1.5;
        sum += *cell(i + 2) + cell(i)[0];
        sum += combine(cell(i + 3), *cell(i));
        printf("%d %.17g %.17g\n", i, sum, sum_reals(SUM_START, store, 6) % 1000003 * 1.0);
    }
    free(store);
#pragma cppc shutdown
    return 0;
}
