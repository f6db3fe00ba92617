/* Exercises: registers made once, in a set-up procedure that has returned: globals, statics and
 * heap arrays that hang from globals. */
#include <stdlib.h>

#include "check.h"

static double *grid;
static int size, step;
static struct {
    double least, most;
    int *order;
} summary;

static void allocate(int n)
{
    int k;
    size = n;
    grid = malloc((size_t)n * sizeof *grid);
    summary.order = malloc((size_t)n * sizeof *summary.order);
    for (k = 0; k < n; k++) {
        grid[k] = (k * 7919 % 101) * 0.01;
        summary.order[k] = n - k;
    }
#pragma cppc register(size, step, grid[size], summary.least, summary.most, summary.order[n])
}

static void setup(void)
{
    allocate(12);
}

static void smooth(void)
{
    int k;
    for (k = 1; k < size - 1; k++)
        grid[k] = (grid[k - 1] + grid[k] + grid[k + 1]) / 3;
    summary.least -= grid[1];
    summary.most += grid[size - 2];
    summary.order[step % size] += step;
}

int main(void)
{
#pragma cppc init
    setup();
    for (step = 0; step < 6; step++) {
#pragma cppc checkpoint
        smooth();
        show("grid", step, sum_reals(SUM_START, grid, (size_t)size));
        printf("%.17g %.17g %d\n", summary.least, summary.most, summary.order[step % size]);
    }
    free(grid);
    free(summary.order);
#pragma cppc shutdown
    return 0;
}
