/* Exercises: constant pointers with computed values, to heap memory, to a function and to a text. A restart jumps over
 * their initialisers. A constant pointer with a known value that a directive registers. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct grid {
    int n;
    double *cells;
};

static double rise(double value)
{
    return value + 1.5;
}

static double sink(double value)
{
    return value * 0.5;
}

static double sweep(double *cells, int n, int step)
{
    double (*const change)(double) = step % 3 == 0 ? rise : sink;
    const char *const name = step % 2 ? "odd" : "even";
    double sum = 0;
    int k;
#pragma cppc register(sum, k)
    for (k = 0; k < n; k++) {
#pragma cppc checkpoint
        cells[k] = change(cells[k]);
        sum += cells[k];
    }
    return sum + (double)strlen(name);
}

int main(void)
{
    int i;
    double sum = 0;
#pragma cppc init
    struct grid *const grid = malloc(sizeof *grid);
    const char *const label = "total";
    grid->n = 5;
    grid->cells = calloc(5, sizeof *grid->cells);
    double *const cells = grid->cells;
#pragma cppc register(*grid, cells[5], label[0], i, sum)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        sum += sweep(cells, grid->n, i);
        show(label, i, sum);
    }
    printf("%s %.17g\n", label, sum);
    free(cells);
    free(grid);
#pragma cppc shutdown
    return 0;
}
